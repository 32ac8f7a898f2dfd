// A release from beginning to end, in a copy and without a registry: versions, tarballs, their checks, and `npm publish --dry-run`.
//
//   npm run release:dry                needs a build
//   npm run release:dry -- --keep      keeps the copy with its tarballs
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  checkContents,
  checkPeers,
  checkTypes,
  libraries,
  packAll,
  publintMessages,
} from '../../test/package/tarballs.mjs';
import { hasTurn, inTurn } from '../turns.mjs';
import { copyForRelease, inOrderOfDependencies, readJson, root, stateRepository } from './packages.mjs';
import { rehearsalRegistry } from './rehearsal-registry.mjs';
import { raiseVersions } from './version.mjs';

/** Stands for the repository that releases; it is never asked. */
const REPOSITORY = 'https://git.example/waymark/waymark';

/** In CI, so many commits look at the types of each package once: with a TypeScript of their own, in all of its ways to resolve. */
const TYPE_TURNS = 3;

const before = readJson(path.join(root, 'package.json')).version;
const copy = mkdtempSync(path.join(os.tmpdir(), 'waymark-release-'));
const registry = await rehearsalRegistry();
const problems = [];

/** The next minor version: that is what a release with something new must come to, and no more. */
function expected() {
  const [major, minor] = before.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}

/** `npm publish --dry-run` with these arguments. */
function publish(...given) {
  const quiet = ['--dry-run', '--ignore-scripts', '--json', '--registry', registry.url, '--loglevel=error'];
  const child = spawn('npm', ['publish', ...given, ...quiet], { cwd: copy, shell: process.platform === 'win32' });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...output })));
}

/**
 * Would publish all packages by one npm, since each start of it costs as much as what it does: from their folders, which must give the
 * very tarballs that have been checked.
 */
async function publishFolders(tarballs) {
  const { status, stdout, stderr } = await publish('--workspaces');
  if (status !== 0) return [`npm publish: exit code ${status}\n${stdout}${stderr}`];
  const reports = JSON.parse(stdout);
  return tarballs
    .filter(({ name, integrity }) => reports[name]?.integrity !== integrity)
    .map(({ name }) => `${name}: npm would publish something else than the tarball that was checked`);
}

/** A release publishes tarballs, of which one shows that npm takes them. */
async function publishFirst([{ file }]) {
  const { status, stdout, stderr } = await publish(file);
  return status === 0 ? [] : [`npm publish: exit code ${status}\n${stdout}${stderr}`];
}

async function publishAll(tarballs) {
  return [
    ...(hasTurn('a publish from the folders') ? await publishFolders(tarballs) : []),
    ...(await publishFirst(tarballs)),
  ];
}

async function check(tarball, version, readsTypes) {
  const { library } = tarball;
  const { manifest } = library;
  const found = [
    ...(manifest.publishConfig?.provenance === true ? [] : ['publishConfig.provenance is not set']),
    ...(manifest.version === version ? [] : [`has version ${manifest.version}`]),
    ...checkPeers(library),
    ...checkContents(tarball),
    ...(await publintMessages(tarball)),
    ...(readsTypes ? await checkTypes(tarball) : []),
  ];
  console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} ${library.name}@${version} (${tarball.files.length} files)`);
  problems.push(...found.map((problem) => `${library.name}: ${problem}`));
}

try {
  copyForRelease(copy);
  writeFileSync(path.join(copy, '.changeset/rehearsal.md'), "---\n'@waymark/core': minor\n---\n\nRehearsal.\n");
  const version = raiseVersions(copy);
  if (version !== expected()) problems.push(`${before} became ${version}, not ${expected()}`);
  console.log(`versions: ${before} -> ${version}`);
  stateRepository(copy, REPOSITORY);

  const tarballs = packAll(inOrderOfDependencies(libraries(copy)), copy);
  const publishing = publishAll(tarballs);
  const names = inTurn(
    tarballs.map(({ name }) => name),
    TYPE_TURNS,
  );
  for (const tarball of tarballs) await check(tarball, version, names.includes(tarball.name));
  problems.push(...(await publishing));
  if (registry.writes().length > 0) problems.push(`a dry run wrote: ${registry.writes().join(', ')}`);
} finally {
  await registry.close();
  if (process.argv.includes('--keep')) console.log(`kept: ${copy}`);
  else rmSync(copy, { recursive: true, force: true });
}

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0 ? 'release:dry passed; nothing was published' : `release:dry: ${problems.length} problem(s)`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
