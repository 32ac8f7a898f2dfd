/**
 * Writes `npm-shrinkwrap.json`, which npm prefers: the lock file with the address of each package at the registry that npm is set
 * to. The lock file has none, so that it serves every registry; without them `npm ci` first reads a document for each of 1,100
 * packages to learn what follows from name and version, which is half of its time. For `.ci/run`, which removes it again.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim().replace(/\/$/, '');
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const folder = 'node_modules/';
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!entry.integrity || entry.resolved) continue;
  const name = entry.name ?? path.slice(path.lastIndexOf(folder) + folder.length);
  entry.resolved = `${registry}/${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`;
}
writeFileSync('npm-shrinkwrap.json', JSON.stringify(lock));
