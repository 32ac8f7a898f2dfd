import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const ASSETS = path.resolve(import.meta.dirname, '../../libs/studio/assets');
/** Gzipped JavaScript that a first view may load. */
const MOST_BYTES = 250_000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

const manifest = JSON.parse(readFileSync(path.join(ASSETS, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
const pages = Object.keys(manifest).filter((name) => /^src\/[^/]+\/[^/]+-page\.tsx$/.test(name));

/** Every chunk that is loaded before these can run. */
function chunksOf(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    chunksOf(manifest[name]!.imports ?? [], found);
  }
  return found;
}

const bytesOf = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(path.join(ASSETS, manifest[name]!.file))).length, 0);

describe('the first view of Studio', () => {
  it('knows all rooms', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        'src/home/home-page.tsx',
        'src/workflows/workflows-page.tsx',
        'src/instances/instance-page.tsx',
      ]),
    );
  });

  it.each(pages)('the first view of Studio at %s loads no more script than its budget', (page) => {
    expect(bytesOf(chunksOf(['index.html', page]))).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('has no script or style in the page itself', () => {
    const html = readFileSync(path.join(ASSETS, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=/);
  });
});
