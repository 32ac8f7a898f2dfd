// What processes of tests run, each in a few files in place of two thousand: to find, read and link those takes Node 20 over a
// second of the processor, for every process that a test starts and kills.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

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
  'faults/holding-node',
];
/** The reference host, which tests start and kill as well: see built-host.ts. */
const HOST = { in: 'dist/main.js', out: 'host/main' };
export const BUNDLED_HOST = `${BUNDLED}/${HOST.out}.js`;
/** What the list of inputs is of. */
const ALL = [...BUNDLED_SCRIPTS, HOST.out];

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

/** Modules of ours find their files (pages, threads, samples) from where they are, which is not where the bundle is. */
const ownPlaces = {
  name: 'own-places',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, async ({ path: file }) => {
      if (file.includes('node_modules')) return undefined;
      const text = await readFile(file, 'utf8');
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)));
      return { contents, loader: 'js' };
    });
  },
};

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;

/** If true, the bundles are there, and nothing of them has been compiled anew since. */
export function isFresh() {
  try {
    const writtenAt = changedAt(LIST);
    const { scripts, inputs } = JSON.parse(readFileSync(LIST, 'utf8'));
    const isSame = String(scripts) === String(ALL);
    return (
      isSame &&
      [...inputs, 'test/support/bundle-scripts.mjs'].every((file) => changedAt(path.join(ROOT, file)) < writtenAt)
    );
  } catch {
    return false;
  }
}

/** Bundles them anew when something of them has been compiled anew. */
export async function bundleScripts() {
  if (isFresh()) return;
  const { build, stop } = await import('esbuild');
  rmSync(path.join(ROOT, BUNDLED), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...BUNDLED_SCRIPTS.map((script) => ({ in: `${COMPILED}/${script}.js`, out: script })), HOST],
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
    plugins: [ownPlaces],
    metafile: true,
    logLevel: 'error',
  });
  // Its process would keep some hundred megabytes while the tests run.
  await stop();
  writeFileSync(LIST, JSON.stringify({ scripts: ALL, inputs: Object.keys(metafile.inputs) }));
}
