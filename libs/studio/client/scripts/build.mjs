// Builds the pages into libs/studio/assets, if a source has changed since the last time, and compresses them.
//
//   npm run build -w @waymark/studio [-- --force]
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const client = path.join(import.meta.dirname, '..');
const assets = path.join(client, '../assets');
const stamp = path.join(assets, '.stamp');

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

/** Of everything that the result depends on: sources, settings, and the versions of the packages. */
function hashOfSources() {
  const files = ['src', 'public', 'scripts'].flatMap((name) => filesBelow(path.join(client, name)));
  files.push(...['index.html', 'vite.config.ts', '../package.json'].map((name) => path.join(client, name)));
  const hash = createHash('sha256');
  for (const file of files.filter((name) => !name.endsWith('.spec.ts')))
    hash.update(path.relative(client, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

const LARGE = 1_000_000;
const COMPRESSIBLE = /\.(js|css|svg|json|txt)$/;

async function compressAll() {
  for (const file of filesBelow(assets).filter((name) => COMPRESSIBLE.test(name))) {
    const content = readFileSync(file);
    if (content.length < 1024) continue;
    // 10 of 11: the last step takes three times as long for a hundredth of the size. Of large files, the one before that too.
    const quality = content.length > LARGE ? 8 : 10;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}

const hash = hashOfSources();
const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
if (!isFresh || process.argv.includes('--force')) {
  const startedAt = performance.now();
  // Tests have set it to something else, and React would be built with all of its checks.
  process.env.NODE_ENV = 'production';
  // Loaded now: a build that has nothing to do takes milliseconds.
  const { build } = await import('vite');
  await build({ root: client, configFile: path.join(client, 'vite.config.ts'), mode: 'production', logLevel: 'warn' });
  await compressAll();
  writeFileSync(stamp, hash);
  console.log(`Waymark Studio built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
