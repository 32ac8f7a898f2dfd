import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWaymark, type Surroundings } from './create-waymark.js';
import type { Questions } from './questions/ask.js';

const COMPILER = path.join(import.meta.dirname, '../../../node_modules/typescript');
const MAIN =
  "import { NestFactory } from '@nestjs/core';\nimport { AppModule } from './app.module';\nvoid NestFactory.create(AppModule);\n";
const MODULE = "import { Module } from '@nestjs/common';\n\n@Module({\n  imports: [],\n})\nexport class AppModule {}\n";
const MANIFEST =
  '{\n\t"name": "shop",\n\t"dependencies": {\n\t\t"@nestjs/core": "^11.0.1",\n\t\t"rxjs": "^7.0.0"\n\t}\n}\n';

let cwd: string;
let output: string;
let errors: string;
let installed: string[];

beforeEach(() => {
  cwd = mkdtempSync(path.join(os.tmpdir(), 'create-waymark-'));
  output = '';
  errors = '';
  installed = [];
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const run = (argv: readonly string[], more: Partial<Surroundings> = {}): Promise<number> =>
  createWaymark(argv, {
    cwd,
    environment: {},
    nodeVersion: 'v24.0.0',
    questions: undefined,
    write: (text) => void (output += text),
    writeError: (text) => void (errors += text),
    install: async (folder, packageManager) => installed.push(`${packageManager} ${folder}`) > 0,
    ...more,
  });

const at = (...parts: string[]) => path.join(cwd, ...parts);
const read = (file: string) => readFileSync(at(file), 'utf8');
const everything = () =>
  readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(cwd, path.join(entry.parentPath, entry.name)))
    .toSorted()
    .map((file) => [file, read(file)]);

function application(files: Readonly<Record<string, string>> = {}): void {
  const all = { 'package.json': MANIFEST, 'src/main.ts': MAIN, 'src/app.module.ts': MODULE, ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
  mkdirSync(at('node_modules'));
  symlinkSync(COMPILER, at('node_modules/typescript'));
}

describe('a new application', () => {
  it('is written and installed', async () => {
    expect(await run(['My Shop', '--yes'])).toBe(0);
    const manifest = JSON.parse(read('My Shop/package.json')) as Record<string, any>;
    expect(manifest.name).toBe('my-shop');
    expect(manifest.dependencies).toMatchObject({ '@waymark/nestjs': '0.1.0', '@waymark/studio': '0.1.0' });
    expect(manifest.dependencies).not.toHaveProperty('better-sqlite3');
    expect(installed).toEqual([`npm ${at('My Shop')}`]);
    expect(output).toContain('npm start');
  });

  it('has its key in a file that is not committed, and no secret in the example', async () => {
    await run(['a', '--yes']);
    const key = /WAYMARK_API_KEY=(\S+)/.exec(read('a/.env'))![1]!;
    expect(key.length).toBeGreaterThanOrEqual(32);
    if (process.platform !== 'win32') expect(statSync(at('a/.env')).mode & 0o077).toBe(0);
    expect(read('a/.gitignore').split('\n')).toContain('.env');
    expect(read('a/.env.example')).not.toMatch(/^[A-Z_]+=/m);
    await run(['b', '--yes']);
    expect(read('b/.env')).not.toContain(key);
  });

  it.each([
    ['sqlite', 'v20.19.0', 'better-sqlite3', '>=20.19'],
    ['sqlite', 'v22.15.1', 'better-sqlite3', '>=20.19'],
    ['sqlite', 'v22.16.0', undefined, '>=22.16'],
    ['mysql', 'v20.19.0', 'mysql2', '>=20.19'],
    ['postgres', 'v24.1.0', 'pg', '>=20.19'],
  ])('a new application on %s and Node %s has the driver %s', async (database, nodeVersion, driver, node) => {
    await run(['a', '--yes', '--database', database], { nodeVersion });
    const manifest = JSON.parse(read('a/package.json')) as Record<string, any>;
    const drivers = Object.keys(manifest.dependencies).filter((name) => /^(better-sqlite3|mysql2|pg)$/.test(name));
    expect(drivers).toEqual(driver ? [driver] : []);
    expect(manifest.engines).toEqual({ node });
  });

  it('takes the package manager that runs it', async () => {
    await run(['a', '--yes'], { environment: { npm_config_user_agent: 'pnpm/10.1.0 npm/? node/v24.0.0' } });
    expect(installed).toEqual([`pnpm ${at('a')}`]);
    expect(read('a/README.md')).toContain('pnpm start');
  });

  // test/e2e/npm-start.spec.ts shows of that script that signals reach the application, which is started once.
  it.each(['npm', 'pnpm'])('is started by %s as the host of the repository is', async (packageManager) => {
    const ofRepository = path.join(import.meta.dirname, '../../../package.json');
    const { start } = (JSON.parse(readFileSync(ofRepository, 'utf8')) as { scripts: { start: string } }).scripts;
    await run(['a', '--yes', '--package-manager', packageManager]);
    const { scripts } = JSON.parse(read('a/package.json')) as { scripts: Record<string, string> };
    expect(scripts).toMatchObject({ start, prestart: scripts.build });
  });

  it('asks what the command line leaves open', async () => {
    const asked: string[] = [];
    const answer =
      <T>(name: string, value: T) =>
      async () => (asked.push(name), value);
    const questions: Questions = {
      directory: answer('directory', 'desk'),
      database: answer('database', 'postgres'),
      adapter: answer('adapter', 'fastify'),
      studio: answer('studio', false),
      agrees: answer('agrees', true),
    };
    expect(await run(['--adapter', 'express', '--skip-install'], { questions })).toBe(0);
    expect(asked).toEqual(['directory', 'database', 'studio']);
    expect(read('desk/package.json')).toContain('@nestjs/platform-express');
    expect(read('desk/package.json')).not.toContain('@waymark/studio');
    expect(installed).toEqual([]);
  });

  it('prints what to do when packages cannot be installed, and no later steps', async () => {
    expect(await run(['a', '--yes'], { install: async () => false })).toBe(1);
    expect(errors).toContain(`run "npm install" in ${at('a')}`);
    expect(output).not.toMatch(/Next:|npm start/);
  });

  it('is written into a repository that is empty', async () => {
    mkdirSync(at('a/.git'), { recursive: true });
    expect(await run(['a', '--yes'])).toBe(0);
  });
});

describe('a request that cannot be served', () => {
  it.each([
    [['--database', 'oracle'], '--database takes sqlite, mysql or postgres, not "oracle".'],
    [['--adapter', 'koa'], '--adapter takes express or fastify, not "koa".'],
    [['--package-manager', 'bun'], '--package-manager takes npm, pnpm or yarn, not "bun".'],
    [['--studio', '--no-studio'], 'not both'],
    [['--colour'], '--help lists the options.'],
    [['a', 'b'], 'One directory at most'],
    [[''], 'The directory is empty'],
    [['ä ö'], 'cannot be the name of a package'],
    [['a', '--tarballs', 'none'], 'cannot be read'],
  ])('%j is a sentence and exit code 1', async (argv, sentence) => {
    expect(await run([...argv, '--yes'])).toBe(1);
    expect(errors).toContain(sentence);
    expect(everything()).toEqual([]);
  });

  it('a folder with other files is left alone', async () => {
    writeFileSync(at('notes.txt'), 'mine');
    expect(await run(['.', '--yes'])).toBe(1);
    expect(errors).toContain('has files (notes.txt), but is not a NestJS application');
    expect(everything()).toEqual([['notes.txt', 'mine']]);
  });

  it('a file is not a folder', async () => {
    writeFileSync(at('a'), '');
    expect(await run(['a', '--yes'])).toBe(1);
    expect(errors).toContain('is a file: choose a folder');
  });

  it('a folder without the tarballs is named', async () => {
    mkdirSync(at('tarballs'));
    expect(await run(['a', '--yes', '--tarballs', 'tarballs'])).toBe(1);
    expect(errors).toContain('has no waymark-');
  });

  it('help and version are printed', async () => {
    expect([await run(['--help']), await run(['--version'])]).toEqual([0, 0]);
    expect(output).toContain('--database sqlite|mysql|postgres');
  });
});

describe('an existing application', () => {
  it('gets a module, which its root module imports, and packages', async () => {
    application();
    expect(await run(['.', '--yes', '--database', 'postgres', '--skip-install'])).toBe(0);
    expect(read('src/app.module.ts')).toBe(
      MODULE.replace('\n\n', "\nimport { WorkflowsModule } from './workflows/workflows.module';\n\n").replace(
        '[]',
        '[WorkflowsModule]',
      ),
    );
    const manifest = read('package.json');
    expect(manifest).toContain('\t\t"@nestjs/event-emitter": "3.');
    expect(manifest).toContain('"rxjs": "^7.0.0"');
    expect(manifest).toContain('"pg"');
    expect(everything().map(([file]) => file)).toEqual([
      'package.json',
      'src/app.module.ts',
      'src/main.ts',
      'src/workflows/order.workflow.ts',
      'src/workflows/price-order.activity.ts',
      'src/workflows/workflows.module.ts',
    ]);
    expect(output).toContain('imports WorkflowsModule in src/app.module.ts');
  });

  it.each([
    [{ typeorm: '^0.3.20' }, ['  typeorm ^0.3.20: Waymark needs ^1.1.0', 'npm install typeorm@latest"']],
    [
      { typeorm: '~0.3.20', '@nestjs/typeorm': '^11.0.0' },
      ['  typeorm ~0.3.20: Waymark needs ^1.1.0', 'npm install typeorm@latest @nestjs/typeorm@latest"'],
    ],
    [
      {
        'reflect-metadata': '^0.1.13',
        '@nestjs/event-emitter': '^2.1.0',
        '@nestjs/schedule': '^4.0.0',
        mysql2: '^2.3.0',
      },
      [
        '  reflect-metadata ^0.1.13: Waymark needs ^0.2.0',
        '  @nestjs/event-emitter ^2.1.0: Waymark needs ^3.0.0 || ^12.0.0',
        '  @nestjs/schedule ^4.0.0: Waymark needs ^5.0.0 || ^6.0.0 || ^12.0.0',
        '  mysql2 ^2.3.0: Waymark needs ^3.0.0',
      ],
    ],
  ])('is refused with %j before anything is written', async (present, lines) => {
    const { dependencies, ...manifest } = JSON.parse(MANIFEST) as { dependencies: object };
    application({ 'package.json': JSON.stringify({ ...manifest, dependencies: { ...dependencies, ...present } }) });
    const before = everything();
    expect(await run(['.', '--yes'])).toBe(1);
    for (const line of lines) expect(errors).toContain(line);
    expect(errors).toContain('Nothing was changed.');
    expect([everything(), installed]).toEqual([before, []]);
  });

  it.each(['^1.1.0', '^1.0.0', '1.1.1', 'latest', 'workspace:*', 'catalog:'])(
    'with typeorm %s gets its module, and the advice to use its own data source',
    async (typeorm) => {
      const { dependencies, ...manifest } = JSON.parse(MANIFEST) as { dependencies: object };
      const present = { ...dependencies, typeorm, '@nestjs/typeorm': '^11.0.3' };
      application({ 'package.json': JSON.stringify({ ...manifest, dependencies: present }) });
      expect(await run(['.', '--yes', '--skip-install'])).toBe(0);
      expect(output).toContain('use TypeOrmPersistence.fromDataSource()');
    },
  );

  it('reads the environment when it starts, by when ConfigModule has loaded a file with variables', async () => {
    application();
    await run(['.', '--yes', '--skip-install']);
    const module = read('src/workflows/workflows.module.ts');
    const variables = [...module.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name);
    expect(new Set(variables)).toEqual(new Set(['WAYMARK_API_KEY', 'WAYMARK_DATABASE_URL']));
    // Within a function of its own, or a factory.
    const imports = /imports: \[([^]*?)\n  \],/.exec(module)![1]!;
    expect(imports.replaceAll(/useFactory: \(\) => \(\{[^]*?\n      \}\),/g, '')).not.toContain('process.env');
  });

  it('gets a list of the files that it has to change by hand', async () => {
    const jest = MANIFEST.replace('"dependencies"', '"jest": { "transform": {} },\n\t"dependencies"');
    application({ 'package.json': jest });
    await run(['.', '--yes', '--skip-install']);
    expect(output).toContain('call app.enableShutdownHooks() in src/main.ts');
    expect(output).toContain('run tests as ES modules');
  });

  it('gets no instructions for steps that are already done', async () => {
    const jest = '"jest": { "extensionsToTreatAsEsm": [".ts"] },\n\t"dependencies"';
    application({
      'package.json': MANIFEST.replace('"dependencies"', jest),
      'src/main.ts': `${MAIN}app.enableShutdownHooks();\n`,
    });
    await run(['.', '--yes', '--skip-install']);
    expect(output).not.toContain('enableShutdownHooks');
    expect(output).not.toContain('ES modules');
  });

  it.each([
    ['Prisma', '"@prisma/client": "^7.0.0", "prisma": "^7.0.0", '],
    ['Drizzle', '"drizzle-orm": "^0.45.0", '],
  ])('is warned that the tools of %s may drop tables that they do not know', async (orm, packages) => {
    application({ 'package.json': MANIFEST.replace('"dependencies": {', `"dependencies": { ${packages}`) });
    await run(['.', '--yes', '--skip-install']);
    expect(output.split(`than that of ${orm}`)).toHaveLength(2);
  });

  it('is used when the command runs in its folder', async () => {
    application();
    expect(await run(['--yes', '--skip-install'])).toBe(0);
    expect(read('src/app.module.ts')).toContain('WorkflowsModule');
  });

  it('names files with their extension where the application does', async () => {
    application({ 'package.json': MANIFEST.replace('"name"', '"type": "module",\n\t"name"') });
    await run(['.', '--yes', '--skip-install']);
    expect(read('src/app.module.ts')).toContain("from './workflows/workflows.module.js';");
  });

  it('may resolve packages without their "exports", as module: commonjs does', async () => {
    application({ 'tsconfig.json': '{ "compilerOptions": { "module": "commonjs", "moduleResolution": "node10" } }' });
    expect(await run(['.', '--yes', '--skip-install'])).toBe(0);
    expect(read('src/app.module.ts')).toContain('WorkflowsModule');
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['@nestjs/core: choose a new folder', { 'package.json': '{}' }],
    ['is not valid JSON', { 'package.json': '{' }],
    ['NestJS ^10.2.0: Waymark needs 11 or 12', { 'package.json': MANIFEST.replace('^11.0.1', '^10.2.0') }],
    ['already has workflows', { 'src/app.module.ts': `// WorkflowModule\n${MODULE}` }],
    ['already has workflows', { 'src/workflows/workflows.module.ts': 'mine' }],
    ['already exists and is not overwritten', { 'src/workflows/order.workflow.ts': 'mine' }],
    ['imports are not written as a list', { 'src/app.module.ts': MODULE.replace('[]', 'modules') }],
    ['add these lines to the root module yourself', { 'src/main.ts': 'start();' }],
    ['has syntax errors', { 'src/app.module.ts': `${MODULE}}` }],
    ['monorepo of the Nest CLI', { 'nest-cli.json': '{ "monorepo": true }' }],
    ['nest-cli.json is not valid JSON', { 'nest-cli.json': '{' }],
  ])('is left as it is: %s', async (sentence, files) => {
    application(files);
    const before = everything();
    expect(await run(['.', '--yes'])).toBe(1);
    expect(errors).toContain(sentence);
    expect(everything()).toEqual(before);
    expect(installed).toEqual([]);
  });

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      'on a server, with Studio',
      ['--database', 'mysql'],
      [
        'npm install @nestjs/event-emitter@',
        ' @waymark/nestjs@0.1.0 ',
        '\n  npm install -D @waymark/schematics@0.1.0 @waymark/testing@0.1.0\n',
        ' mysql2@',
        'mysql://USER:PASSWORD@127.0.0.1:3306/DATABASE',
        'WorkflowApiModule.forRoot({',
        "import { StudioModule } from '@waymark/studio';",
      ],
      ['sqlite'],
    ],
    ['on SQLite, without Studio', ['--no-studio'], ["?? 'sqlite:waymark.db'"], ['mysql', 'Studio', 'Api']],
  ])('gets packages and lines to add by hand: %s', async (_, argv, there, missing) => {
    application({ 'src/main.ts': 'start();' });
    expect(await run(['.', '--yes', ...argv])).toBe(1);
    for (const text of there) expect(errors).toContain(text);
    for (const text of missing) expect(errors).not.toContain(text);
  });

  it('is asked to install its packages first', async () => {
    application();
    rmSync(at('node_modules'), { recursive: true });
    const before = everything();
    expect(await run(['.', '--yes'])).toBe(1);
    expect(errors).toBe(
      `The packages of the application are not installed: run "npm install" in ${cwd}, then this command again. Nothing was changed.\n`,
    );
    expect(everything()).toEqual(before);
  });

  it('gets its next steps, also when the installation fails', async () => {
    application();
    expect(await run(['.', '--yes', '--database', 'postgres'], { install: async () => false })).toBe(1);
    expect(errors).toContain('set WAYMARK_DATABASE_URL: postgres://');
    expect(errors).toContain('call app.enableShutdownHooks() in src/main.ts');
    expect(errors).not.toContain('README.md');
  });

  it('is not changed without consent', async () => {
    application();
    const before = everything();
    expect(await run(['.'])).toBe(1);
    expect(errors).toContain('confirm with --yes');
    expect(everything()).toEqual(before);
  });

  it('keeps its adapter', async () => {
    application();
    expect(await run(['.', '--yes', '--adapter', 'fastify'])).toBe(1);
    expect(errors).toContain('--adapter is for new applications');
  });
});
