import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TSC } from '../../scripts/compiler.mjs';
import { hasTurn, inTurn } from '../../scripts/turns.mjs';
import { root } from './tarballs.mjs';

/** The compiler that most applications have, and the last one that resolves as `module: commonjs` does by itself. */
export const TSC_6 = path.join(root, 'node_modules/typescript/bin/tsc');
export const APPLICATIONS = path.join(root, 'test/package/apps');

const NODE10 = 'tsconfig.node10.json';
/** In CI, so many commits load each package by itself. */
const LOAD_TURNS = 3;

/**
 * Installs the tarballs into a copy of an application outside the repository, and compiles it. Without `run` the application's own
 * sources are left out: the packages are installed, loaded and compiled against.
 * @param as name of the copy @param install what installs, npm unless given @param checkCopies what finds packages twice
 * @param compiler TypeScript's program; only the older one resolves without `exports`, which the application says it does as well
 */
export async function prepareApplication(
  name,
  into,
  packed,
  { run, as = name, install: installIn = npmInstall, checkCopies = checkSingleCopies, compiler = TSC },
) {
  const folder = path.join(into, as);
  cpSync(path.join(APPLICATIONS, name), folder, { recursive: true });
  const manifestFile = path.join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  for (const { name: library, file } of packed) manifest.dependencies[library] = `file:${file}`;
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));

  const failure = await installIn(folder);
  if (failure) return [failure];
  useCompiledSqlite(folder);

  const sources = path.join(folder, 'src');
  if (!run) rmSync(sources, { recursive: true });
  mkdirSync(sources, { recursive: true });
  // Brings the declaration files of every package into the strict compilation, also those the application has no use for.
  const everyPackage = packed.map(({ name: library }, index) => `export * as package${index} from '${library}';`);
  writeFileSync(path.join(sources, 'every-package.ts'), `${everyPackage.join('\n')}\n`);

  // As `module: commonjs` resolves, without `exports`.
  const hasNode10 = compiler === TSC_6 && existsSync(path.join(folder, NODE10));
  // Else in CI, by `exports` with the successor, which takes a third of the time.
  const isTurnOfSuccessor = hasNode10 && !hasTurn('TypeScript 6 by exports');
  const problems = [
    checkCopies(folder),
    await checkLoads(folder, manifest, packed),
    await compile(folder, isTurnOfSuccessor ? TSC : compiler),
  ].filter(Boolean);
  if (hasNode10 && problems.length === 0) problems.push(await compile(folder, TSC_6, NODE10));
  return problems.filter(Boolean);
}

/** Runs what has been compiled in that folder, as every resolver has compiled it. */
export async function runApplication(folder) {
  const problems = [await execute(folder, process.execPath, ['dist/main.js'])];
  if (existsSync(path.join(folder, 'dist-node10')))
    problems.push(await execute(folder, process.execPath, ['dist-node10/main.js']));
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
  // Not into files that another application has as well.
  rmSync(path.join(to, 'build'), { recursive: true, force: true });
  const compiled = 'build/Release/better_sqlite3.node';
  mkdirSync(path.dirname(path.join(to, compiled)), { recursive: true });
  copyFileSync(path.join(from, compiled), path.join(to, compiled));
}

const SINGLE = /^(?:@waymark\/.+|@nestjs\/(?:common|core)|typeorm|rxjs|reflect-metadata)$/;

/** A second copy of Nest or of a Waymark library would have other classes, hence other injection tokens. */
function checkSingleCopies(folder) {
  const seen = new Map();
  for (const { name, place } of packagesIn(path.join(folder, 'node_modules')))
    if (SINGLE.test(name)) seen.set(name, [...(seen.get(name) ?? []), place]);
  const doubled = [...seen].filter(([, copies]) => copies.length > 1);
  if (seen.size === 0) return `no package is installed in ${folder}`;
  return doubled.map(([name, copies]) => `two copies of ${name}:\n${copies.join('\n')}`).join('\n');
}

/** All packages that are installed there, also below one another. As they lie there: npm takes two seconds to list them. */
function* packagesIn(modules, scope = '') {
  for (const entry of readdirSync(path.join(modules, scope))) {
    const name = scope === '' ? entry : `${scope}/${entry}`;
    const place = path.join(modules, name);
    if (entry.startsWith('.') || !statSync(place).isDirectory()) continue;
    if (entry.startsWith('@')) yield* packagesIn(modules, entry);
    else {
      yield { name, place };
      if (existsSync(path.join(place, 'node_modules'))) yield* packagesIn(path.join(place, 'node_modules'));
    }
  }
}

/**
 * All packages load the way this kind of application loads them. Each of them by itself in a process of its own, once, where they are
 * imported: their modules and the order in which those are run are the same where they are required. In CI a third of them in turn: that a
 * package declares what it imports is seen from its files (`checkBuiltImports`), and all of them are loaded together.
 */
async function checkLoads(folder, manifest, packed) {
  const isModule = manifest.type === 'module';
  const names = packed.map(({ name }) => name);
  const scripts = isModule
    ? inTurn(names, LOAD_TURNS).map((name) => `await import('${name}')`)
    : [names.map((name) => `require('${name}')`).join('; ')];
  const problems = [];
  for (const script of scripts)
    problems.push(
      await execute(folder, process.execPath, [`--input-type=${isModule ? 'module' : 'commonjs'}`, '-e', script]),
    );
  return problems.filter(Boolean).join('\n');
}

/**
 * Gives one library a copy of its own of what all of them share, as a dependency in place of a peer would, and loads that
 * library after the front door: it must not load, and the error must name both copies.
 */
export async function checkSecondCopies(name, into) {
  const folder = path.join(realpathSync(into), name);
  const modules = path.join(folder, 'node_modules');
  const own = path.join(modules, '@waymark/typeorm/node_modules/@waymark');
  const fileOf = (within, shared) => pathToFileURL(path.join(within, shared, 'dist/this-copy.js')).href;
  const load = "await import('@waymark/nestjs'); await import('@waymark/typeorm');";
  const problems = [];
  for (const shared of ['core', 'runtime']) {
    cpSync(path.join(modules, '@waymark', shared), path.join(own, shared), { recursive: true });
    const output = (await execute(folder, process.execPath, ['--input-type=module', '-e', load])) ?? 'it has loaded';
    rmSync(own, { recursive: true });
    const places = [fileOf(path.join(modules, '@waymark'), shared), fileOf(own, shared)];
    for (const part of ['DuplicatePackageError', 'WM9203', ...places])
      if (!output.includes(part)) problems.push(`two copies of @waymark/${shared}: no "${part}" in\n${output}`);
  }
  return problems;
}

/**
 * Compiles the application, and reads our own declaration files strictly in the same go: `skipLibCheck` would hide a broken one. What it
 * hides of other packages is left out here.
 */
async function compile(folder, compiler, project = '.') {
  const { stdout, stderr, status, error } = await outcomeOf(folder, process.execPath, [
    ...[compiler, '-p', project],
    ...['--skipLibCheck', 'false'],
  ]);
  const found = stdout.split('\n').filter((line) => /\berror TS\d+: /.test(line));
  if (status !== 0 && found.length === 0) return `tsc: ${error ?? `exit code ${status}`}\n${stdout}${stderr}`;
  const isOfOthers = (line) => /^(?:\.\.\/)*node_modules\//.test(line) && !line.includes('node_modules/@waymark/');
  return found.filter((line) => !isOfOthers(line)).join('\n');
}

/** Runs a command: what it printed if it failed, otherwise `undefined`. Others run meanwhile. */
export async function execute(cwd, command, args) {
  const { status, signal, stdout, stderr, error } = await outcomeOf(cwd, command, args);
  if (status === 0) return undefined;
  return [`${command} ${args.join(' ')}: ${signal ?? error ?? `exit code ${status}`}`, stdout, stderr]
    .join('\n')
    .trim();
}

function outcomeOf(cwd, command, args) {
  const child = spawn(command, args, {
    cwd,
    // Beside tests, at a low priority, what takes half a minute may take minutes.
    timeout: 900_000,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ...output, error }));
    child.on('close', (status, signal) => resolve({ ...output, status, signal }));
  });
}
