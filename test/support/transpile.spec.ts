import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { transpileProject } from './transpile.mjs';

let folder: string;
const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-transpile-'));
  write('tsconfig.json', JSON.stringify({ compilerOptions: { rootDir: 'src', outDir: 'dist' }, include: ['src'] }));
  write('src/steps/one.ts', 'export const one: number = 1;');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('compiles sources to where the compiler of TypeScript writes them, without specifications and what they share', () => {
  write('src/steps/one.spec.ts', 'export {};');
  write('src/testing/world.ts', 'export {};');
  transpileProject(folder);
  expect(read('dist/steps/one.js')).toContain('export const one = 1;');
  expect(['steps/one.spec.js', 'testing/world.js'].map((name) => existsSync(path.join(folder, 'dist', name)))).toEqual([
    false,
    false,
  ]);
});

it('compiles again what has changed since, and that alone', () => {
  write('src/two.ts', 'export const two = 2;');
  transpileProject(folder);
  write('dist/two.js', 'as it is');
  write('src/steps/one.ts', 'export const one = 1.5;');
  const later = new Date(Date.now() + 60_000);
  utimesSync(path.join(folder, 'src/steps/one.ts'), later, later);
  transpileProject(folder);
  expect([read('dist/steps/one.js').includes('1.5'), read('dist/two.js')]).toEqual([true, 'as it is']);
});
