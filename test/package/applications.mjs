import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './tarballs.mjs';

const TSC = path.join(root, 'node_modules/typescript/bin/tsc');
export const APPLICATIONS = path.join(root, 'test/package/apps');

/**
 * Installs the tarballs into a copy of an application outside the repository, compiles it, and runs it. Without `run` the
 * application's own sources are left out: the packages are installed, loaded and compiled against.
 * @param as name of the copy @param install what installs, npm unless given @param checkCopies what finds packages twice
 */
export function runApplication(
  name,
  into,
  packed,
  { run, as = name, install: installIn = npmInstall, checkCopies = checkSingleCopies },
) {
  const folder = path.join(into, as);
  cpSync(path.join(APPLICATIONS, name), folder, { recursive: true });
  const manifestFile = path.join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  for (const { name: library, file } of packed) manifest.dependencies[library] = `file:${file}`;
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));

  const failure = installIn(folder);
  if (failure) return [failure];
  useCompiledSqlite(folder);

  const sources = path.join(folder, 'src');
  if (!run) rmSync(sources, { recursive: true });
  mkdirSync(sources, { recursive: true });
  // Brings the declaration files of every package into the strict compilation, also those the application has no use for.
  const everyPackage = packed.map(({ name: library }, index) => `export * as package${index} from '${library}';`);
  writeFileSync(path.join(sources, 'every-package.ts'), `${everyPackage.join('\n')}\n`);

  const problems = [checkCopies(folder), checkLoads(folder, manifest, packed), compile(folder)].filter(Boolean);
  if (problems.length > 0) return problems;
  // As `module: commonjs` resolves, without `exports`.
  const hasOlderResolver = existsSync(path.join(folder, 'tsconfig.node10.json'));
  if (hasOlderResolver) problems.push(execute(folder, process.execPath, [TSC, '-p', 'tsconfig.node10.json']));
  if (run) problems.push(execute(folder, process.execPath, ['dist/main.js']));
  if (run && hasOlderResolver) problems.push(execute(folder, process.execPath, ['dist-node10/main.js']));
  return problems.filter(Boolean);
}

function npmInstall(folder) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  return execute(folder, 'npm', ['install', ...quiet]);
}

/** The repository has compiled better-sqlite3 already, for this very Node; compiling it again takes a minute. */
export function useCompiledSqlite(folder) {
  const from = path.join(root, 'node_modules/better-sqlite3');
  const to = path.join(folder, 'node_modules/better-sqlite3');
  if (!existsSync(to)) return;
  const versionOf = (at) => JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8')).version;
  if (versionOf(from) !== versionOf(to)) {
    throw new Error(`better-sqlite3 is ${versionOf(to)} in the application but ${versionOf(from)} in the repository`);
  }
  cpSync(path.join(from, 'build'), path.join(to, 'build'), { recursive: true });
}

/** A second copy of Nest or of a Waymark library would have other classes, hence other injection tokens. */
function checkSingleCopies(folder) {
  const { stdout } = spawnSync('npm', ['ls', '--all', '--parseable'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const seen = new Map();
  for (const line of new Set(stdout.split('\n'))) {
    const name =
      /.*node_modules[\\/](@waymark[\\/][^\\/]+|@nestjs[\\/](?:common|core)|typeorm|rxjs|reflect-metadata)$/.exec(
        line,
      )?.[1];
    if (name) seen.set(name, [...(seen.get(name) ?? []), line]);
  }
  const doubled = [...seen].filter(([, copies]) => copies.length > 1);
  return doubled.map(([name, copies]) => `two copies of ${name}:\n${copies.join('\n')}`).join('\n');
}

/** Each package loads by itself, in a fresh process, the way this kind of application loads it. */
function checkLoads(folder, manifest, packed) {
  const isModule = manifest.type === 'module';
  return packed
    .map(({ name }) =>
      isModule
        ? execute(folder, process.execPath, ['--input-type=module', '-e', `await import('${name}')`])
        : execute(folder, process.execPath, ['--input-type=commonjs', '-e', `require('${name}')`]),
    )
    .filter(Boolean)
    .join('\n');
}

/**
 * Gives one library a copy of its own of what all of them share, as a dependency in place of a peer would, and loads that
 * library after the front door: it must not load, and the error must name both copies.
 */
export function checkSecondCopies(name, into) {
  const folder = path.join(realpathSync(into), name);
  const modules = path.join(folder, 'node_modules');
  const own = path.join(modules, '@waymark/typeorm/node_modules/@waymark');
  const fileOf = (within, shared) => pathToFileURL(path.join(within, shared, 'dist/this-copy.js')).href;
  const load = "await import('@waymark/nestjs'); await import('@waymark/typeorm');";
  return ['core', 'runtime'].flatMap((shared) => {
    cpSync(path.join(modules, '@waymark', shared), path.join(own, shared), { recursive: true });
    const output = execute(folder, process.execPath, ['--input-type=module', '-e', load]) ?? 'it has loaded';
    rmSync(own, { recursive: true });
    return ['DuplicatePackageError', 'WM9203', fileOf(path.join(modules, '@waymark'), shared), fileOf(own, shared)]
      .filter((part) => !output.includes(part))
      .map((part) => `two copies of @waymark/${shared}: no "${part}" in\n${output}`);
  });
}

/** Compiles the application, and reads our own declaration files strictly: `skipLibCheck` would hide a broken one. */
function compile(folder) {
  const failure = execute(folder, process.execPath, [TSC, '-p', '.']);
  if (failure) return failure;
  const strict = spawnSync(process.execPath, [TSC, '-p', '.', '--noEmit', '--skipLibCheck', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const ours = strict.stdout.split('\n').filter((line) => line.startsWith('node_modules/@waymark/'));
  return ours.join('\n');
}

/** Runs a command: what it printed if it failed, otherwise `undefined`. */
export function execute(cwd, command, args) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, NODE_OPTIONS: '' },
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status === 0) return undefined;
  return [`${command} ${args.join(' ')}: ${signal ?? error ?? `exit code ${status}`}`, stdout, stderr]
    .join('\n')
    .trim();
}
