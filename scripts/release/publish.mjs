// Publishes what is not published yet, in the version that the manifests state.
//
//   npm run release
//
// It runs in a workflow that may state provenance (publishConfig.provenance), on a clean checkout whose build was verified, and after
// `npm run release:version` was committed. A run that was interrupted is run again: what the registry has is left out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkContents, checkPeers, libraries, packAll, publintMessages } from '../../test/package/tarballs.mjs';
import { copyForRelease, inOrderOfDependencies, readJson, root, stateRepository } from './packages.mjs';

const execute = (cwd, command, ...args) =>
  spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });

function refuse(reason) {
  console.error(`Nothing was published: ${reason}`);
  process.exit(1);
}

/** `https://host/owner/name`, of the repository that this checkout came from. */
function repositoryUrl() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, WAYMARK_REPOSITORY: given } = process.env;
  const url = given ?? (server && name ? `${server}/${name}` : undefined);
  if (!url || !/^https:\/\/[^/\s]+\/\S+[^/]$/.test(url))
    refuse('WAYMARK_REPOSITORY must say where the sources are, as https://host/owner/name.');
  return url.replace(/\.git$/, '');
}

const { version } = readJson(path.join(root, 'package.json'));
const url = repositoryUrl();
if (execute(root, 'git', 'status', '--porcelain').stdout.trim())
  refuse('the checkout has changes that are not committed.');
if (readdirSync(path.join(root, '.changeset')).some((file) => file.endsWith('.md') && file !== 'README.md'))
  refuse('.changeset/ has changes without a version: run "npm run release:version", and commit.');

const copy = mkdtempSync(path.join(os.tmpdir(), 'waymark-release-'));
try {
  copyForRelease(copy);
  stateRepository(copy, url);
  const ordered = inOrderOfDependencies(libraries(copy));
  const tarballs = packAll(ordered, copy).map((tarball) => ({ library: tarball.library, tarball }));
  // All of them before the first is published: a version can be used once.
  for (const { library, tarball } of tarballs) {
    const problems = [...checkPeers(library), ...checkContents(tarball), ...(await publintMessages(tarball))];
    if (problems.length > 0) throw new Error(`Nothing was published: ${library.name}: ${problems.join('; ')}`);
  }
  for (const { library, tarball } of tarballs) {
    const spec = `${library.name}@${version}`;
    if (execute(copy, 'npm', 'view', spec, 'version').stdout.trim() === version) {
      console.log(`${spec} is published already`);
      continue;
    }
    const { status } = spawnSync('npm', ['publish', tarball.file, '--ignore-scripts'], {
      cwd: copy,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (status !== 0)
      throw new Error(`${spec} was not published: run "npm run release" again when the reason is mended.`);
  }
  console.log(`All packages are published as ${version}. Tag it: git tag v${version}`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
