import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { TSC } from '../../scripts/compiler.mjs';
import { hasTurn, inTurn } from '../../scripts/turns.mjs';
import { APPLICATIONS, execute, TSC_6, useCompiledSqlite } from './applications.mjs';
import { onServer } from './databases.mjs';
import { answerProblem, BY_SIGNAL, DRAINED, NPM_START, started } from './started.mjs';
import { root } from './tarballs.mjs';

/** The Nest CLI of the present; the schematics run in the engine that it brings. */
const NEST_CLI = '12.0.8';

/** The command as it is installed from its tarball. */
const command = (into) => path.join(into, 'cjs-nest11/node_modules/create-waymark/dist/bin.js');

const create = (into, cwd, ...args) =>
  execute(cwd, process.execPath, [command(into), ...args, '--yes', '--skip-install', '--tarballs', into]);

const createdIn = (into) => path.join(into, 'created');

/**
 * A new application: installed, extended by the schematics through the Nest CLI, and compiled.
 * @param from an application that is installed, with most packages of this one
 * @param noRun it is not to be started, which compiles it as well
 */
export async function prepareCreatedApplication(into, from, noRun) {
  const folder = createdIn(into);
  const failure =
    (await create(into, into, 'created')) ?? (await createVariants(into, folder)) ?? (await installInto(folder, from));
  if (failure) return [failure];
  useCompiledSqlite(folder);
  const nest = path.join(folder, 'node_modules/@nestjs/cli/bin/nest.js');
  const generated = inTurn(SCHEMATICS, SCHEMATICS.length);
  for (const { schematic, name, file } of generated) {
    const generate = ['generate', '-c', '@waymark/schematics', schematic, name];
    const refused = await execute(folder, process.execPath, [nest, ...generate]);
    if (refused) return [refused];
    // The Nest CLI prints what a schematic refuses, and ends with 0.
    if (!existsSync(path.join(folder, file))) return [`nest generate ${schematic} ${name} has not written ${file}`];
  }
  return [
    moduleProblem(
      folder,
      generated.map(({ provider }) => provider),
    ),
    ...[folder, ...variantsInTurn().map(({ name }) => path.join(folder, 'variants', name))].map(undeclaredImports),
    // `npm start` compiles it too.
    noRun ? await execute(folder, process.execPath, [TSC_6, '-p', 'tsconfig.json']) : undefined,
    await execute(folder, process.execPath, [TSC, '-p', 'tsconfig.variants.json']),
  ].filter(Boolean);
}

/** What the Nest CLI makes for users, and what of it the module must provide. In CI one of them has its turn. */
const SCHEMATICS = [
  {
    schematic: 'activity',
    name: 'payments/charge-card',
    file: 'src/payments/charge-card/charge-card.activity.spec.ts',
    provider: 'ChargeCard',
  },
  {
    schematic: 'trigger',
    name: 'payments/payment-received',
    file: 'src/payments/payment-received/payment-received.trigger.spec.ts',
    provider: 'PaymentReceived',
  },
  { schematic: 'workflow', name: 'refund', file: 'src/refund/refund.workflow.spec.ts', provider: 'RefundWorkflow' },
];

/** Its tests, and its variants, which are started and called. */
export async function runCreatedApplication(into) {
  const folder = createdIn(into);
  return [
    await execute(folder, 'npm', ['test', '--silent']),
    await answerProblem(folder, NPM_START),
    ...(await variantProblems(folder)),
  ].filter(Boolean);
}

/** An application that is there, with the folder of the one that is installed around it, from which everything resolves. */
const EXISTING = [
  { app: 'existing-nest11', within: 'cjs-nest11', database: 'sqlite', studio: true, compiler: TSC_6 },
  { app: 'existing-nest11', within: 'cjs-nest11', database: 'mysql', studio: false, compiler: TSC },
  { app: 'existing-nest12', within: 'created', database: 'postgres', studio: true, compiler: TSC },
];

/** What is added to applications that are there: CommonJS on NestJS 11, ES modules on NestJS 12. */
export const prepareAddedApplications = (into) => ofEachExisting((existing) => addedProblems(into, existing));

/** They are started and called, those for a server where there is one. */
export const runAddedApplications = (into) => ofEachExisting((existing) => answerProblems(into, existing));

/** In CI one of them has its turn. */
async function ofEachExisting(problemsOf) {
  const problems = [];
  for (const existing of inTurn(EXISTING, EXISTING.length))
    for (const problem of await problemsOf(existing))
      problems.push(`${existing.app} with ${existing.database}: ${problem}`);
  return problems;
}

const addedIn = (into, { app, within, database }) => path.join(into, within, `${app}-${database}`);

async function addedProblems(into, existing) {
  const { app, database, studio, compiler } = existing;
  const folder = addedIn(into, existing);
  cpSync(path.join(APPLICATIONS, app), folder, { recursive: true });
  useOwn(folder, ['typescript', ...(DRIVERS[database] ?? [])]);
  const options = ['--database', database, studio ? '--studio' : '--no-studio'];
  const failure =
    (await create(into, folder, ...options)) ?? (await execute(folder, process.execPath, [compiler, '-p', '.']));
  if (failure) return [failure];
  const again = (await create(into, folder, ...options)) ?? 'it was added twice';
  if (!again.includes('already has workflows')) return [again];
  return [undeclaredImports(folder)].filter(Boolean);
}

async function answerProblems(into, existing) {
  const { database, studio } = existing;
  const folder = addedIn(into, existing);
  const answers = (url) =>
    answerProblem(folder, started('dist/main.js', BY_SIGNAL), { studio, env: { WAYMARK_DATABASE_URL: url } });
  if (database === 'sqlite') return [await answers('sqlite:added.db')].filter(Boolean);
  return onServer(database, async (url) => [await answers(url)].filter(Boolean));
}

/** Not around each application. */
const DRIVERS = { mysql: ['mysql2'], postgres: ['pg'] };

/** Packages of the repository, for an application that has only what is around it. */
function useOwn(folder, names) {
  mkdirSync(path.join(folder, 'node_modules'));
  for (const name of names)
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), 'junction');
}

/** What its sources import must be in its own manifest: packages that are found in a folder around it do not show that. */
function undeclaredImports(folder) {
  const manifest = manifestOf(folder);
  const declared = { ...manifest.dependencies, ...manifest.devDependencies };
  const missing = new Set();
  for (const file of readdirSync(path.join(folder, 'src'), { recursive: true }).filter((one) => one.endsWith('.ts')))
    for (const [, name] of readFileSync(path.join(folder, 'src', file), 'utf8').matchAll(
      /\b(?:from|import) '(?!node:)((?:@[^/']+\/)?[^./'][^/']*)/g,
    ))
      if (!declared[name]) missing.add(name);
  return missing.size === 0 ? undefined : `package.json lacks ${[...missing].join(', ')}`;
}

const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/**
 * With the application that is installed, which has SQLite, Express and Studio, every pair of a database, an adapter and Studio or
 * none.
 */
const VARIANTS = [
  { database: 'sqlite', adapter: 'express', studio: false },
  { database: 'sqlite', adapter: 'fastify', studio: true },
  { database: 'mysql', adapter: 'express', studio: true },
  { database: 'mysql', adapter: 'fastify', studio: false },
  { database: 'postgres', adapter: 'express', studio: false },
  { database: 'postgres', adapter: 'fastify', studio: true },
].map((variant) => ({ ...variant, name: `${variant.database}-${variant.adapter}` }));

/** In CI, so many commits take all of them: neither adapter nor database is the same in each. */
const VARIANT_TURNS = 3;
const variantsInTurn = () => inTurn(VARIANTS, VARIANT_TURNS);

/** Below the application that is installed, with the packages of all of these, and compiled in one go. */
async function createVariants(into, folder) {
  mkdirSync(path.join(folder, 'variants'));
  for (const { name, database, adapter, studio } of variantsInTurn()) {
    const options = ['--database', database, '--adapter', adapter, studio ? '--studio' : '--no-studio'];
    const failure = await create(into, folder, `variants/${name}`, ...options);
    if (failure) return failure;
  }
  const compilerOptions = { rootDir: 'variants', outDir: 'variants-dist', noEmit: false };
  const variants = { extends: './tsconfig.json', compilerOptions, include: ['variants/*/src'] };
  writeFileSync(path.join(folder, 'tsconfig.variants.json'), JSON.stringify(variants));
  return undefined;
}

/** They are started and called, those for a server where there is one. */
async function variantProblems(folder) {
  const problems = [];
  for (const { name, database, studio } of variantsInTurn()) {
    const within = path.join(folder, 'variants', name);
    const main = path.join(folder, 'variants-dist', name, 'src/main.js');
    const answers = (env) => answerProblem(within, started(main, DRAINED), { studio, env });
    const found =
      database === 'sqlite'
        ? [await answers({})]
        : await onServer(database, async (url) => [await answers({ DATABASE_URL: url })]);
    problems.push(...found.filter(Boolean).map((problem) => `${name}: ${problem}`));
  }
  return problems;
}

function installInto(folder, from) {
  const manifest = manifestOf(folder);
  for (const { name } of variantsInTurn())
    Object.assign(manifest.dependencies, manifestOf(path.join(folder, 'variants', name)).dependencies);
  manifest.devDependencies['@nestjs/cli'] = NEST_CLI;
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  // To unpack them is two thirds of an installation. npm adds what is missing, and removes what no package asks for.
  const packages = path.join(from, 'node_modules');
  if (!hasTurn('a new application from nothing') && existsSync(packages))
    linkTree(packages, path.join(folder, 'node_modules'));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  return execute(folder, 'npm', ['install', '--ignore-scripts', ...quiet]);
}

/** The same files in two folders. npm replaces packages as a whole, and writes its own list of them anew, which is a copy. */
function linkTree(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [from, to].map((folder) => path.join(folder, entry.name));
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.name === '.package-lock.json') copyFileSync(source, target);
    else linkSync(source, target);
  }
}

function moduleProblem(folder, providers) {
  const text = readFileSync(path.join(folder, 'src/app.module.ts'), 'utf8');
  const missing = providers.filter((name) => !new RegExp(`providers: \\[[^\\]]*\\b${name}\\b`).test(text));
  return missing.length === 0 ? undefined : `src/app.module.ts does not provide ${missing.join(', ')}:\n${text}`;
}
