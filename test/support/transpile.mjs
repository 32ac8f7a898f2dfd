// What processes of tests run, in a checkout that was never built. `tsc -b` takes a core for half a minute, most of it for types, which
// `npm run verify` checks. Without them it takes two seconds, and workers find in the cache what they would compile.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import transform from '../runner/transform.cjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Folders with a `tsconfig.json` that `tsc -b . test` builds. */
const PROJECTS = ['.', 'test', ...readdirSync(path.join(ROOT, 'libs')).map((name) => `libs/${name}`)]
  .map((folder) => path.join(ROOT, folder))
  .filter((folder) => existsSync(path.join(folder, 'tsconfig.json')));

/** Whether the compiler has written here. It goes by contents: what something else wrote over its files would stay. */
export const isBuilt = () => PROJECTS.some((folder) => existsSync(path.join(folder, 'dist/.tsbuildinfo')));

/** Compiles what has changed since it was compiled. @param cacheDirectory Jest's own */
export function transpileAll(cacheDirectory) {
  for (const folder of PROJECTS) transpileProject(folder, cacheDirectory);
}

/** @param folder of a `tsconfig.json` @param cacheDirectory Jest's own; none where nothing is to be kept */
export function transpileProject(folder, cacheDirectory) {
  if (cacheDirectory !== undefined) transform.useCache(cacheDirectory);
  const { include, compilerOptions } = JSON.parse(readFileSync(path.join(folder, 'tsconfig.json'), 'utf8'));
  const [from, to] = [compilerOptions.rootDir, compilerOptions.outDir].map((name) => path.join(folder, name));
  for (const file of include.flatMap((name) => sourcesIn(path.join(folder, name)))) {
    const target = path.join(to, path.relative(from, file)).replace(/\.ts$/, '.js');
    if (changedAt(target) >= changedAt(file)) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, transform.compile(readFileSync(file, 'utf8'), file));
  }
}

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;

/** Without specifications, and what they alone use. */
function sourcesIn(place) {
  if (place.endsWith('.ts')) return [place];
  return readdirSync(place, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !/\.(spec|d)\.ts$|(^|[\\/])testing[\\/]/.test(name))
    .map((name) => path.join(place, name));
}
