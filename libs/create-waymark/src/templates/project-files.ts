import { needsSqlitePackage, sorted, workflowDependencies, workflowDevDependencies } from '../planning/dependencies.js';
import type { Settings } from '../settings/settings.js';
import { VERSIONS } from '../versions/versions.js';
import { EXAMPLE_URLS } from './module-files.js';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export function manifestFile(name: string, settings: Settings): string {
  const adapter = `@nestjs/platform-${settings.adapter}` as const;
  const hasSqlitePackage = needsSqlitePackage(settings);
  return json({
    name,
    version: '0.0.1',
    private: true,
    type: 'module',
    engines: { node: settings.database === 'sqlite' && !hasSqlitePackage ? '>=22.16' : '>=20.19' },
    scripts: {
      build: BUILD,
      ...startScripts(settings),
      test: 'node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js',
      typecheck: 'tsc -p tsconfig.json',
    },
    dependencies: sorted({
      '@nestjs/common': VERSIONS['@nestjs/common'],
      '@nestjs/core': VERSIONS['@nestjs/core'],
      [adapter]: VERSIONS[adapter],
      ...workflowDependencies(settings, 12),
    }),
    devDependencies: sorted({
      '@jest/globals': VERSIONS['@jest/globals'],
      '@nestjs/testing': VERSIONS['@nestjs/testing'],
      '@swc/core': VERSIONS['@swc/core'],
      '@swc/jest': VERSIONS['@swc/jest'],
      '@types/jest': VERSIONS['@types/jest'],
      '@types/node': VERSIONS['@types/node'],
      jest: VERSIONS.jest,
      typescript: VERSIONS.typescript,
      ...workflowDevDependencies(settings),
    }),
    // Package managers ask which packages may run scripts: only SQLite has one that is needed.
    ...(settings.packageManager === 'npm' ? { allowScripts: allowedScripts(hasSqlitePackage) } : {}),
    ...(hasSqlitePackage && settings.packageManager === 'pnpm'
      ? { pnpm: { onlyBuiltDependencies: ['better-sqlite3'] } }
      : {}),
  });
}

const BUILD = 'tsc -p tsconfig.build.json';
const START = 'node --enable-source-maps dist/main.js';

/**
 * npm and pnpm send signals to a shell, which ends by them without its child: node has to take its place. cmd.exe does not know
 * `exec`, and takes what follows. In one line with the compiler, what follows would also start what did not compile. Yarn has a shell of
 * its own, which passes signals on, and runs no script before another.
 */
const startScripts = ({ packageManager }: Settings): Record<string, string> =>
  packageManager === 'yarn'
    ? { start: `${BUILD} && ${START}` }
    : { prestart: BUILD, start: `exec ${START} || ${START}` };

const allowedScripts = (hasSqlitePackage: boolean): Record<string, boolean> => ({
  '@parcel/watcher': false,
  '@swc/core': false,
  'unrs-resolver': false,
  ...(hasSqlitePackage ? { 'better-sqlite3': true } : {}),
});

export const tsconfigFile = (): string =>
  json({
    compilerOptions: {
      target: 'ES2023',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      rootDir: 'src',
      outDir: 'dist',
      noEmit: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      useDefineForClassFields: false,
      isolatedModules: true,
      esModuleInterop: true,
      strict: true,
      strictPropertyInitialization: false,
      skipLibCheck: true,
      sourceMap: true,
      types: ['node', 'jest'],
    },
    include: ['src'],
  });

export const tsconfigBuildFile = (): string =>
  json({
    extends: './tsconfig.json',
    compilerOptions: { noEmit: false },
    exclude: ['src/**/*.spec.ts'],
  });

/** The Nest CLI finds the sources by it, also when it is run by `npx`. */
export const nestCliFile = (): string => json({ collection: '@nestjs/schematics', sourceRoot: 'src' });

export const GITIGNORE = `\
node_modules/
dist/
.env
*.db
*.db-shm
*.db-wal
`;

const databaseLines = ({ database }: Settings): string =>
  database === 'sqlite'
    ? `# A file, or mysql://… or postgres://… with the package for it.\n# DATABASE_URL=${EXAMPLE_URLS.sqlite}\n`
    : `# Where workflows are kept. The database must exist; tables are created at the start.\n# DATABASE_URL=${EXAMPLE_URLS[database]}\n`;

/** @param apiKey a random one for `.env`; none for the example, which is committed */
export const environmentExample = (settings: Settings, apiKey?: string): string => `\
${databaseLines(settings)}
# PORT=3000
# HOST=127.0.0.1
${settings.studio ? `\n# Key of the management API; Studio asks for it.\n${apiKey ? `WAYMARK_API_KEY=${apiKey}` : '# WAYMARK_API_KEY='}\n` : ''}`;

export function readmeFile(name: string, settings: Settings): string {
  const run = settings.packageManager;
  const server =
    settings.database === 'sqlite'
      ? ''
      : `Write the address of your database into \`.env\` first: \`DATABASE_URL=${EXAMPLE_URLS[settings.database]}\`.\n\n`;
  const studio = settings.studio
    ? `Studio, where you draw, monitor and repair workflows, is at <http://127.0.0.1:3000/studio>. It asks for the API key, which
\`.env\` has as \`WAYMARK_API_KEY\`.

`
    : '';
  return `\
# ${name}

A [NestJS](https://docs.nestjs.com) application with workflows by Waymark.

${server}\`\`\`sh
${run} start      # http://127.0.0.1:3000
${run} test       # in memory; needs no server
\`\`\`

\`\`\`sh
curl -X POST http://127.0.0.1:3000/workflows/orders -H 'content-type: application/json' -d '{"item":"tea","count":3}'
\`\`\`

In production, build it with \`${run} run build\` and start \`node --enable-source-maps dist/main.js\` itself. On SIGTERM and Ctrl-C it
finishes what runs, closes the database and ends with code 0.

${studio}| File                                   | Is                                                        |
| -------------------------------------- | --------------------------------------------------------- |
| \`src/orders/order.workflow.ts\`         | a workflow: an HTTP endpoint, an activity, an answer      |
| \`src/orders/price-order.activity.ts\`   | an activity                                               |
| \`src/orders/order.workflow.spec.ts\`    | a test of both                                            |
| \`src/app.module.ts\`                    | where workflows are kept, and what is registered          |

More of them, each with a test and its place in the nearest module:

\`\`\`sh
npx @nestjs/cli generate -c @waymark/schematics activity payments/charge-card
npx @nestjs/cli generate -c @waymark/schematics trigger payments/payment-received
npx @nestjs/cli generate -c @waymark/schematics workflow payments/refund
\`\`\`
`;
}
