import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from './code-blocks.js';

const DECISIONS = path.join(ROOT, 'docs/adr');

// Two changes that each add a decision merge without a conflict, and may leave a row without its file.
it('the list of decisions names each of them once, in order', () => {
  const files = readdirSync(DECISIONS).filter((file) => /^\d{4}-/.test(file));
  const rows = [...readFileSync(path.join(DECISIONS, 'README.md'), 'utf8').matchAll(/^\| \[(\d+)\]\(([^)]+)\)/gm)];
  expect(rows.map(([, , file]) => file)).toEqual(files);
  expect(rows.map(([, number]) => Number(number))).toEqual(files.map((file) => Number(file.slice(0, 4))));
});
