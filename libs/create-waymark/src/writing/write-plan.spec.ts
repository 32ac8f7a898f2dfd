import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Plan } from '../planning/plan.js';
import { writePlan } from './write-plan.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'write-plan-'));
  writeFileSync(path.join(folder, 'a.ts'), 'old a');
  writeFileSync(path.join(folder, 'b.ts'), 'old b');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plan = (created: Record<string, string>, changed: Plan['changed']): Plan => ({
  folder,
  kind: 'existing',
  created: new Map(Object.entries(created)),
  changed,
  summary: [],
  next: [],
});
const contents = () =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]),
  );

it('writes all of a plan', () => {
  writePlan(plan({ 'deep/er/c.ts': 'c' }, new Map([['a.ts', { before: 'old a', after: 'new a' }]])));
  expect(contents()).toEqual({ 'a.ts': 'new a', 'b.ts': 'old b', [path.join('deep', 'er', 'c.ts')]: 'c' });
});

it.each<[string, Record<string, string>, Plan['changed']]>([
  ['a file exists by now', { 'deep/c.ts': 'c', 'a.ts': 'mine' }, new Map()],
  [
    'a file has changed since the plan was made',
    { 'deep/c.ts': 'c' },
    new Map([
      ['a.ts', { before: 'old a', after: 'new a' }],
      ['b.ts', { before: 'older b', after: 'new b' }],
    ]),
  ],
  [
    'a file is missing by now',
    {},
    new Map([
      ['a.ts', { before: 'old a', after: 'new a' }],
      ['gone.ts', { before: '', after: 'new' }],
    ]),
  ],
])('leaves the folder as it was when %s', (_, created, changed) => {
  expect(() => writePlan(plan(created, changed))).toThrow('Nothing was changed');
  expect(contents()).toEqual({ 'a.ts': 'old a', 'b.ts': 'old b' });
  expect(readdirSync(folder)).toEqual(['a.ts', 'b.ts']);
});
