import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../..');

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
export const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** Folders below `at` that hold a manifest, as `libs/core`. */
export const manifestFolders = (at, below) =>
  readdirSync(path.join(at, below))
    .map((name) => `${below}/${name}`)
    .filter((folder) => existsSync(path.join(at, folder, 'package.json')));

/** Is not packed; `assets` of Studio are what its client becomes. */
const OUTSIDE = /(^|\/)(node_modules|\.tsbuildinfo)$|^libs\/studio\/client$/;

/** Copies what versions and tarballs are made of, so that a rehearsal changes nothing here. */
export function copyForRelease(to) {
  for (const entry of ['.changeset', 'package.json', 'CHANGELOG.md', 'scripts/app-versions.mjs', 'test/package/apps'])
    cpSync(path.join(root, entry), path.join(to, entry), { recursive: true });
  for (const below of ['libs', 'examples'])
    for (const folder of manifestFolders(root, below))
      cpSync(path.join(root, folder), path.join(to, folder), {
        recursive: true,
        filter: (file) => !OUTSIDE.test(path.relative(root, file).replaceAll(path.sep, '/')),
      });
}

/**
 * Says in each manifest where its sources are: a registry shows it, and a statement of provenance must agree with it. The place is
 * that of the repository that releases, hence not part of the sources.
 * @param url as `https://host/owner/name`
 */
export function stateRepository(at, url) {
  for (const folder of manifestFolders(at, 'libs')) {
    const file = path.join(at, folder, 'package.json');
    const manifest = readJson(file);
    manifest.repository = { type: 'git', url: `git+${url}.git`, directory: folder };
    manifest.homepage = `${url}/tree/main/${folder}#readme`;
    manifest.bugs = { url: `${url}/issues` };
    writeJson(file, manifest);
  }
}

/** Those that others depend on go first: a release that stops half-way leaves nothing that cannot be installed. */
export function inOrderOfDependencies(libraries) {
  const ordered = [];
  const known = new Map(libraries.map((library) => [library.name, library]));
  const add = (library) => {
    if (ordered.includes(library)) return;
    const { dependencies, peerDependencies } = library.manifest;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      if (known.has(name) && name !== library.name) add(known.get(name));
    ordered.push(library);
  };
  for (const library of libraries) add(library);
  return ordered;
}
