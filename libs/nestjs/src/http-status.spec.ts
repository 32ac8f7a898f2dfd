import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { httpStatusOf } from './http-status.js';

it('gives each code the status that the documentation says', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
  const table = page.slice(page.indexOf('\n| Status | Codes'), page.indexOf('What **HTTP workflows** answer'));
  const documented = [...table.matchAll(/^\| (\d{3}) +\| (.*) \|$/gm)]
    .filter(([, status]) => status !== '500')
    .flatMap(([, status, codes]) => [...codes!.matchAll(/WM\d{4}/g)].map(([code]) => [code, Number(status)] as const));
  expect(documented.length).toBeGreaterThan(50);
  const others = [...page.matchAll(/^\| (WM\d{4}) \|/gm)]
    .map(([, code]) => code!)
    .filter((code) => !documented.some(([known]) => known === code));
  const expected = [...documented, ...others.map((code) => [code, 500] as const)];
  expect(expected.map(([code]) => [code, httpStatusOf(code)])).toEqual(expected);
});
