import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The publishable libraries: `{ name, folder, manifest }`. @param at the repository, or a copy of it */
export function libraries(at = root) {
  return readdirSync(path.join(at, 'libs'))
    .map((name) => path.join(at, 'libs', name))
    .filter((folder) => existsSync(path.join(folder, 'package.json')))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
      return { name: manifest.name, folder, manifest };
    })
    .filter(({ manifest }) => !manifest.private);
}

/** Packs libraries into `into`, by one npm for all of them: `{ name, file, files, integrity, library }` of each, in their order. */
export function packAll(packed, into) {
  const folders = packed.map(({ folder }) => folder);
  const out = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into, ...folders], {
    cwd: into,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    maxBuffer: 64 << 20,
  });
  // npm 11 answers a list, npm 12 an object by package name.
  const reports = new Map(Object.values(JSON.parse(out)).map((report) => [report.name, report]));
  return packed.map((library) => {
    const { filename, files, integrity } = reports.get(library.name);
    return {
      name: library.name,
      file: path.join(into, filename.replace('@', '').replace('/', '-')),
      files: files.map((file) => file.path),
      integrity,
      library,
    };
  });
}

/** Their classes are injection tokens: a dependency of each library could be installed once for each library. */
const SHARED = ['@waymark/core', '@waymark/runtime'];

/** The shared packages are peers, in the very version of the library: all packages are released together. */
export function checkPeers({ manifest }) {
  const problems = [];
  for (const name of SHARED) {
    if (manifest.dependencies?.[name]) problems.push(`${name} must be a peer dependency, not a dependency`);
    const range = manifest.peerDependencies?.[name];
    if (range !== undefined && range !== manifest.version)
      problems.push(`wants ${name} ${range}; the packages of a release want one another in its version`);
  }
  return problems;
}

/** What must, and what must not, be inside. */
export function checkContents({ files, library }) {
  const problems = [];
  const has = new Set(files);
  const pages = library.manifest.files.includes('assets')
    ? ['assets/index.html', 'assets/third-party-licences.txt']
    : [];
  // The engine publishes its types from a folder of its own, without what is marked as internal.
  const types = path.posix.normalize(library.manifest.types);
  const always = ['package.json', 'LICENSE', 'README.md', 'dist/index.js', types, 'src/index.ts'];
  for (const needed of [...always, ...pages]) {
    if (!has.has(needed)) problems.push(`does not contain ${needed}`);
  }
  for (const file of files) {
    if (/\.spec\.|\.tsbuildinfo$|(^|\/)(test|testing|coverage|node_modules)\//.test(file))
      problems.push(`contains ${file}`);
    const source = /^(?:dist|types)\/(.+?)\.(js|d\.ts)(\.map)?$/.exec(file)?.[1];
    if (source && !has.has(`src/${source}.ts`)) {
      problems.push(
        `${file} has no source any more: delete ${path.relative(root, library.folder)}/dist and build again`,
      );
    }
  }
  return problems;
}

/** publint on the tarball itself, so that what `files` leaves out counts as missing. */
export async function publintMessages({ file }) {
  const data = readFileSync(file);
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages
    .filter((message) => message.type !== 'suggestion')
    .map((message) => `publint ${message.type}: ${formatMessage(message, pkg, { color: false })}`);
}

/**
 * Types are found by every resolver, by that of `module: commonjs` (node10) as well. The packages are ES modules only: that a `require` of
 * them needs Node 20.19 is what the rule that is left out would say.
 */
export async function checkTypes({ file }) {
  // It brings a TypeScript of its own, which a release does not load.
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync(file)));
  if (!types) return ['attw: has no types'];
  return problems
    .filter(({ kind }) => kind !== 'CJSResolvesToESM')
    .map((problem) => `attw: ${JSON.stringify(problem)}`);
}
