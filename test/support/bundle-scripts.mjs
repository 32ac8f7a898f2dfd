// What processes of tests run, each in a few files in place of two thousand: to find, read and link those takes Node 20 over a
// second of the processor, for every process that a test starts and kills.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMPILED = 'test/dist';
const BUNDLED = 'test/dist/bundled';
const LIST = path.join(ROOT, BUNDLED, '.inputs.json');

/** Below `test`. Others are run as they are compiled: what they measure or exchange depends on their modules. */
export const BUNDLED_SCRIPTS = [
  'support/node-process',
  'support/resume-racer',
  'support/commit-writer',
  'hostile/bodies/hostile-node',
];

/** Found at run time: native modules, drivers, what finds its own files, and what Nest loads only where it is installed. */
const OUTSIDE = [
  ...['better-sqlite3', 'pg', 'pg-native', 'mysql', 'mysql2', 'quickjs-emscripten', 'typescript'],
  ...['class-validator', 'class-transformer', 'class-transformer/*'],
  ...['@nestjs/microservices', '@nestjs/microservices/*', '@nestjs/websockets/*'],
  ...['@fastify/multipart', '@fastify/static', '@fastify/view'],
];

/** CommonJS within the bundle asks for modules of Node. */
const REQUIRE =
  "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);";

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;

function isFresh() {
  try {
    const writtenAt = changedAt(LIST);
    const { scripts, inputs } = JSON.parse(readFileSync(LIST, 'utf8'));
    const isSame = String(scripts) === String(BUNDLED_SCRIPTS);
    return isSame && inputs.every((file) => changedAt(path.join(ROOT, file)) < writtenAt);
  } catch {
    return false;
  }
}

/** Bundles them anew when something of them has been compiled anew. */
export async function bundleScripts() {
  if (isFresh()) return;
  const { build } = await import('esbuild');
  rmSync(path.join(ROOT, BUNDLED), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: BUNDLED_SCRIPTS.map((script) => `${COMPILED}/${script}.js`),
    outbase: COMPILED,
    outdir: BUNDLED,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Classes are known by their names, of which a bundle has several alike.
    keepNames: true,
    banner: { js: REQUIRE },
    external: OUTSIDE,
    metafile: true,
    logLevel: 'error',
  });
  writeFileSync(LIST, JSON.stringify({ scripts: BUNDLED_SCRIPTS, inputs: Object.keys(metafile.inputs) }));
}
