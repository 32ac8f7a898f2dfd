import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../..');

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/node_modules|[/\\]dist[/\\]/.test(file));
}

/** Codes in string literals: those in comments may speak of errors of others. */
function codesIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/['"`](WM\d{4})['"`]/g)].map((match) => match[1]!);
}

describe('the error catalogue', () => {
  const documented = [...readFileSync(path.join(ROOT, 'docs/errors.md'), 'utf8').matchAll(/^\| (WM\d{4}) \|/gm)].map(
    (m) => m[1]!,
  );
  const used = new Set([...sources(path.join(ROOT, 'libs')), ...sources(path.join(ROOT, 'src'))].flatMap(codesIn));

  it('documents every code that the sources throw, and no other', () => {
    expect(new Set(documented)).toEqual(used);
  });

  it('documents each code once', () => {
    expect(documented).toHaveLength(new Set(documented).size);
  });
});
