import { existsSync } from 'node:fs';
import path from 'node:path';

const HERE = import.meta.dirname;
const COMPILED = import.meta.filename.endsWith('.ts') ? path.resolve(HERE, '../dist/support') : HERE;

/**
 * The compiled form of a script of this folder, or relative to it, for processes that tests start: from TypeScript each of
 * them would take twice as long to come up.
 * @param script e.g. `node-process.ts`
 * @param build root of another build of this repository
 * @throws Error when it has not been compiled
 */
export function compiledScript(script: string, build?: string): string {
  const folder = build === undefined ? COMPILED : path.resolve(build, 'test/dist/support');
  const file = path.resolve(folder, script.replace(/\.ts$/, '.js'));
  if (!existsSync(file))
    throw new Error(`'${script}' is not compiled. Run it with npm test, or first: npm run build:test`);
  if (build !== undefined || !process.env.JEST_WORKER_ID) return file;
  // Of those that are started often, a run of tests has made a bundle: see bundle-scripts.mjs.
  const tests = path.dirname(COMPILED);
  const bundled = path.join(tests, 'bundled', path.relative(tests, file));
  return existsSync(bundled) ? bundled : file;
}
