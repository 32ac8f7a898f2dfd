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
import { copyForRelease, inOrderOfDependencies, readJson, root, stateRepository } from './packages.mjs';
import { rehearsalRegistry } from './rehearsal-registry.mjs';
import { raiseVersions } from './version.mjs';

/** Stands for the repository that releases; it is never asked. */
const REPOSITORY = 'https://git.example/waymark/waymark';

const before = readJson(path.join(root, 'package.json')).version;
const copy = mkdtempSync(path.join(os.tmpdir(), 'waymark-release-'));
const registry = await rehearsalRegistry();
const problems = [];

/** The next minor version: that is what a release with something new must come to, and no more. */
function expected() {
  const [major, minor] = before.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}

function publish(file) {
  const args = ['publish', file, '--dry-run', '--ignore-scripts', '--registry', registry.url, '--loglevel=error'];
  const child = spawn('npm', args, { cwd: copy, shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  return new Promise((resolve) =>
    child.on('close', (status) => resolve(status === 0 ? [] : [`npm publish: exit code ${status}\n${output}`])),
  );
}

async function check(tarball, version) {
  const { library } = tarball;
  const { manifest } = library;
  const found = [
    ...(manifest.publishConfig?.provenance === true ? [] : ['publishConfig.provenance is not set']),
    ...(manifest.version === version ? [] : [`has version ${manifest.version}`]),
    ...checkPeers(library),
    ...checkContents(tarball),
    ...(await publintMessages(tarball)),
    ...(await checkTypes(tarball)),
    ...(await publish(tarball.file)),
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

  // Two at a time: each of their checks is a process of its own.
  const left = packAll(inOrderOfDependencies(libraries(copy)), copy);
  const checkNext = async () => {
    for (let tarball = left.shift(); tarball; tarball = left.shift()) await check(tarball, version);
  };
  await Promise.all([checkNext(), checkNext()]);
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
