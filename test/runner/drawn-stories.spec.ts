import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

// `describeInBrowser` draws each story of a suite that takes its `it`: one that needs what a story before it has left fails in every
// commit that draws it alone, in both attempts.

const TEST = path.join(import.meta.dirname, '..');
const sources = ['studio', 'elsa-studio'].flatMap((folder) =>
  readdirSync(path.join(TEST, folder))
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => readFileSync(path.join(TEST, folder, file), 'utf8')),
);

/** Variables of suites with drawn stories that stories share: pages, and what a story gives a value. */
function sharedIn(source: string): string[] {
  return source
    .split(/^(?=describe\w*\()/m)
    .filter((suite) => /^describe\w*\('[^\n]*\(\{ it \}\) => \{/.test(suite))
    .flatMap((suite) => {
      const stories = suite.split(/^ {2}(?=\w)/m).filter((block) => /^it\b/.test(block));
      return [...suite.matchAll(/^ {2}let (\w+)(?:: (\w+))?/gm)]
        .filter(([, name, type]) => {
          const assigned = new RegExp(String.raw`(?<![.\w])${name}\b[^=\n;]{0,20} = `);
          return type === 'Page' || stories.some((story) => assigned.test(story));
        })
        .map(([, name]) => name!);
    });
}

const suite = (lines: readonly string[], begin = "describeInBrowser('a', ({ it }) => {"): string =>
  [begin, ...lines.map((line) => `  ${line}`), '});'].join('\n');

it.each([
  ['a page', suite(['let page: Page;', "it('b', async () => {});"]), ['page']],
  ['what a story has made', suite(['let id: string;', "it('b', async () => {", "  id = 'c';", '});']), ['id']],
  ['nothing that all begin with', suite(['let id: string;', 'beforeAll(() => {', "  id = 'c';", '});']), []],
  ['nothing of a tour', suite(['let page: Page;'], "describeTourInBrowser('a', () => {"), []],
])('finds %s in a suite', (_, source, found) => expect(sharedIn(source)).toEqual(found));

it('stories that are drawn one by one share no page, and nothing that one of them has made', () => {
  expect(sources.filter((source) => source.includes('({ it })')).length).toBeGreaterThan(10);
  expect(sources.flatMap(sharedIn)).toEqual([]);
});
