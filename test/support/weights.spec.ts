import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { partsOf, type Weights } from './draw.js';
import { isDrawn, isDrawnAt, isInTurn } from './pairs.js';
import { ATTACKS, followsQuick, TOURS } from './weights.js';

const ROOT = path.join(import.meta.dirname, '../..');
const FIRST = 2064;
const DRAWS = Array.from({ length: 12 }, (_, index) => String(FIRST + index));

const specsIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist', 'package'].includes(entry.name) ? [] : specsIn(file);
    return entry.name.endsWith('.spec.ts') ? [file] : [];
  });
const sourceOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const matchesOf = (source: string, pattern: RegExp): string[] => [...source.matchAll(pattern)].map(([, name]) => name!);

/** Suites of both Studios with the number of their stories. @param begin what makes one, of which the first group is its title */
const suitesOf = (begin: RegExp): { title: string; stories: number }[] =>
  ['test/studio', 'test/elsa-studio']
    .flatMap(specsIn)
    .flatMap((file) => sourceOf(file).split(/^(?=describe\w*\()/m))
    .flatMap((suite) => {
      const title = begin.exec(suite)?.[1];
      return title === undefined ? [] : [{ title, stories: suite.match(/^ {2,4}it(?:\.each)?\(/gm)?.length ?? 0 }];
    });
const tours = suitesOf(/^describe(?:TourInBrowser|WithElsaStudio)\('([^\n]+?)',/);
const storyByStory = suitesOf(/^describeInBrowser\('([^\n]+?)', \(\{ it \}\)/);

const { WAYMARK_TEST_PAIRS, WAYMARK_TEST_DRAW } = process.env;
beforeEach(() => {
  process.env.WAYMARK_TEST_PAIRS = 'others';
});
afterEach(() => {
  Object.assign(process.env, { WAYMARK_TEST_PAIRS, WAYMARK_TEST_DRAW });
  if (WAYMARK_TEST_DRAW === undefined) delete process.env.WAYMARK_TEST_DRAW;
  if (WAYMARK_TEST_PAIRS === undefined) delete process.env.WAYMARK_TEST_PAIRS;
});

/** What each draw takes, as a multiple of what they take on average. */
function sharesOf(take: () => number): number[] {
  const taken = DRAWS.map((draw) => {
    process.env.WAYMARK_TEST_DRAW = draw;
    return take();
  });
  const mean = taken.reduce((sum, one) => sum + one, 0) / taken.length;
  return taken.map((one) => one / mean);
}
const weightOf = (weights: Weights, isTaken: (name: string) => boolean): number =>
  Object.entries(weights).reduce((sum, [name, weight]) => sum + (isTaken(name) ? weight : 0), 0);

it('knows what each tour, and each attack that has turns, weighs', () => {
  const attacks = ['libs', 'test'].flatMap(specsIn).flatMap((file) => {
    const source = sourceOf(file);
    const suites = matchesOf(source, /^describeInTurn\('([^\n]+?)',/gm).map((title) => `${file} ${title}`);
    return /^runInTurn\(/m.test(source) ? [file, ...suites] : suites;
  });
  expect(Object.keys(ATTACKS).sort()).toEqual(attacks.sort());
  expect(Object.keys(TOURS).sort()).toEqual(tours.map(({ title }) => title).sort());
});

it('draws suites of up to five stories as a whole: each that is drawn starts a host and a browser', () => {
  expect(storyByStory.length).toBeGreaterThan(10);
  expect(storyByStory.filter(({ stories }) => stories <= 5)).toEqual([]);
});

it('takes about as many stories, and as much of tours and attacks, with each draw', () => {
  const stories = sharesOf(() => {
    const whole = tours.filter(({ title }) => isDrawn(title)).map((tour) => tour.stories);
    const some = storyByStory.map(
      (suite) =>
        Array.from({ length: suite.stories }, (_, place) => isDrawnAt(place, suite.title)).filter(Boolean).length,
    );
    return [...whole, ...some].reduce((sum, one) => sum + one, 0);
  });
  const ofTours = sharesOf(() => weightOf(TOURS, isDrawn));
  const ofAttacks = sharesOf(() => weightOf(ATTACKS, isInTurn));
  for (const [name, shares, most] of [
    ['stories', stories, 1.25],
    ['tours', ofTours, 1.15],
    ['attacks', ofAttacks, 1.3],
  ] as const)
    expect([name, shares, shares.every((share) => share <= most)]).toEqual([name, shares, true]);
});

it('takes the other adapters and the servers of an attack after another quick run than its first', () => {
  const files = Object.keys(ATTACKS).filter(followsQuick);
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const turnsIn = (part: string) => {
      process.env.WAYMARK_TEST_PAIRS = part;
      return DRAWS.filter((draw) => {
        process.env.WAYMARK_TEST_DRAW = draw;
        return isInTurn(file);
      });
    };
    const [quick, after] = [turnsIn('some'), turnsIn('others')];
    expect([quick.length, after.length]).toEqual([4, 4]);
    expect(after.filter((draw) => quick.includes(draw))).toEqual([]);
  }
});

it('cuts into parts of about the same weight, and the same ones each time', () => {
  const weights = { a: 5, b: 4, c: 3, d: 3, e: 2, f: 1 };
  const parts = partsOf(weights, 3);
  const sums = [0, 1, 2].map((part) => weightOf(weights, (name) => parts.get(name) === part));
  expect(sums).toEqual([6, 6, 6]);
  expect([...partsOf({ b: 1, a: 1 }, 2)]).toEqual([...partsOf({ a: 1, b: 1 }, 2)]);
  expect(partsOf({}, 3).size).toBe(0);
});
