// Raises the version of all packages by what `.changeset/` says, and writes it wherever it is stated.
//
//   npm run release:version
//
// Packages of a release want one another in exactly its version. To changesets a peer that is left behind is a breaking change of what
// wants it, so every minor release would be a major one: the peers are loosened while it counts, and written again afterwards.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { manifestFolders, readJson, root, writeJson } from './packages.mjs';

const LISTS = ['dependencies', 'peerDependencies', 'devDependencies'];

/** @param at the root of a repository, or of a copy */
export function raiseVersions(at) {
  const libraries = manifestFolders(at, 'libs');
  const names = new Set(libraries.map((folder) => readJson(path.join(at, folder, 'package.json')).name));
  pin(at, libraries, ['peerDependencies'], names, '*');
  const changesets = path.join(root, 'node_modules/@changesets/cli/bin.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [changesets, 'version'], {
    cwd: at,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`changeset version: exit code ${status}\n${stdout}${stderr}`);

  const versions = new Set(libraries.map((folder) => readJson(path.join(at, folder, 'package.json')).version));
  if (versions.size !== 1) throw new Error(`The packages have several versions: ${[...versions].join(', ')}`);
  const [version] = versions;
  pin(at, [...libraries, ...manifestFolders(at, 'examples'), '.'], LISTS, names, version);
  const manifest = readJson(path.join(at, 'package.json'));
  writeJson(path.join(at, 'package.json'), { ...manifest, version });
  titleChangelog(path.join(at, 'CHANGELOG.md'), version);
  run(at, process.execPath, 'scripts/app-versions.mjs');
  return version;
}

function pin(at, folders, lists, names, range) {
  for (const folder of folders) {
    const file = path.join(at, folder, 'package.json');
    const manifest = readJson(file);
    for (const list of lists)
      for (const name of Object.keys(manifest[list] ?? {})) if (names.has(name)) manifest[list][name] = range;
    writeJson(file, manifest);
  }
}

/** What was not released yet belongs to this version from now on. */
function titleChangelog(file, version) {
  const text = readFileSync(file, 'utf8');
  if (text.includes(`## [${version}]`)) return;
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(file, text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${today}\n`));
}

function run(at, command, ...args) {
  const { status } = spawnSync(command, args, { cwd: at, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${status}`);
}

if (import.meta.filename === process.argv[1]) {
  const version = raiseVersions(root);
  run(root, 'npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  run(root, 'npm', 'run', '--silent', 'format');
  console.log(`All packages are ${version} now. Read CHANGELOG.md, commit, and run: npm run release`);
}
