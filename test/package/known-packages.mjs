import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addressesOf } from '../../scripts/locked-addresses.mjs';
import { libraries, root } from './tarballs.mjs';

const MODULES = 'node_modules/';

/**
 * Writes a lock file for an application that is to be installed: what it and our packages need of others, in the versions of the repository's
 * own lock file. npm would read a document of up to some megabytes for each of them to find the newest version, which takes longer than
 * the installation. Our own packages are not in it, so that npm resolves each of their dependencies and peers. What does not fit, as in
 * an application on an older Nest, npm looks for itself; what nothing needs, it leaves out.
 */
export function writeKnownPackages(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { packages } = addressesOf(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const wanted = { ...manifest.devDependencies, ...manifest.dependencies };
  writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({
      name: manifest.name,
      version: manifest.version,
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: manifest.name, version: manifest.version }, ...knownPackages(packages, wanted) },
    }),
  );
}

/** @param wanted versions by name, as the application demands them: ours are files */
function knownPackages(packages, wanted) {
  const isOther = (name) => /^\d/.test(wanted[name] ?? '') && packages[MODULES + name]?.version !== wanted[name];
  const known = {};
  const visited = new Set();
  const visit = (name, from) => {
    const place = placeOf(packages, name, from);
    if (place === undefined || visited.has(place) || packages[place].link) return;
    visited.add(place);
    const entry = packages[place];
    const parent = place.slice(0, Math.max(0, place.lastIndexOf(MODULES) - 1));
    const hasPlace = parent === '' || known[parent] !== undefined;
    const isFitting = hasPlace && !isOther(name) && !Object.keys(entry.peerDependencies ?? {}).some(isOther);
    if (isFitting) known[place] = entry;
    // What another version needs is mostly the same.
    for (const next of needsOf(entry)) visit(next, place);
  };
  for (const name of Object.keys(wanted)) visit(name, '');
  for (const { manifest } of libraries()) for (const name of needsOf(manifest)) visit(name, '');
  return known;
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where a package finds another one: below itself, or below what it is in. */
function placeOf(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(MODULES) - 1))) {
    const place = `${folder === '' ? '' : `${folder}/`}${MODULES}${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
  }
}
