import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './code-blocks.js';

const ROW = /^\| ([BR]\d+) .*$/gm;
const PROOF = /`([^`]+\.m?[jt]s)`: "([^"]+)"/g;

describe('the page on weak points', () => {
  const rows = [...readFileSync(path.join(ROOT, 'docs/weak-points.md'), 'utf8').matchAll(ROW)];

  it('has every point once', () => {
    const numbers = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n + 1}`);
    expect(rows.map(([, id]) => id)).toEqual([...numbers('B', 30), ...numbers('R', 24)]);
  });

  it.each(rows.map(([row, id]) => [id!, row]))('%s names specifications that are there', (_, row) => {
    const proofs = [...row.matchAll(PROOF)];
    expect(proofs.length).toBeGreaterThan(0);
    for (const [, file, title] of proofs)
      expect(readFileSync(path.join(ROOT, file!), 'utf8').replaceAll(String.raw`\'`, "'")).toContain(title);
  });
});
