import { existsSync } from 'node:fs';
import { jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeThorough, isThorough } from '../support/depth.js';
import { isDrawn, isDrawnAt, NOT_DRAWN } from '../support/pairs.js';

/** A story has many steps, and the machine may be busy with others. */
const STORY_MS = 300_000;

/**
 * Debian's, or the one that WAYMARK_CHROMIUM names. The first draws pages and has no window: a browser with one starts a second
 * renderer for each page, for the pages that its window is made of.
 */
const DEBIANS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const PATH = process.env.WAYMARK_CHROMIUM ?? DEBIANS.find((file) => existsSync(file)) ?? DEBIANS[0];

const FLAGS = [
  // A page of a story is gone before what V8's optimizing compilers have made of its scripts could pay for itself.
  ...(isThorough ? [] : ['--js-flags=--max-opt=1']),
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A container has little shared memory.
  '--disable-dev-shm-usage',
];

/** Why there is no browser; `undefined` when there is one. */
export const missingBrowser = existsSync(PATH)
  ? undefined
  : `no Chromium at ${PATH}: apt-get install chromium-headless-shell, or set WAYMARK_CHROMIUM`;

/** Stories are long tests, but for `npm run verify`, which is what looks at Studio. */
const takesStories = isThorough || process.env.WAYMARK_TEST_STORIES === '1';

/** Tests of a suite in a browser. */
interface Stories {
  readonly it: Story;
}
type Story = ((title: string, story: () => Promise<void>) => void) & { readonly each: typeof it.each };

/**
 * `it` of stories: a drawn run takes a third of them, by their places in the suite, since each costs seconds. What it leaves out is skipped,
 * and says so. Stories of an `each` are drawn together.
 */
function storiesOf(suite: string): Story {
  let place = 0;
  const next = () =>
    isDrawnAt(place++, suite) ? { itOf: it, ending: '' } : { itOf: it.skip, ending: `: ${NOT_DRAWN}` };
  const one = (title: string, story: () => Promise<void>): void => {
    const { itOf, ending } = next();
    itOf(title + ending, story);
  };
  const each = (table: readonly never[]) => (title: string, story: (...values: never[]) => Promise<void>) => {
    const { itOf, ending } = next();
    itOf.each(table)(title + ending, story);
  };
  return Object.assign(one, { each: each as unknown as typeof it.each });
}

/**
 * `describe` where there is a browser, in runs that take the stories. Without one the stories are skipped, and say so, but
 * never where WAYMARK_REQUIRE_BROWSER is set, as in CI. The `it` that the suite gets is drawn in CI, that of Jest is not.
 */
export function describeInBrowser(name: string, body: (stories: Stories) => void): void {
  jest.setTimeout(STORY_MS);
  const describeStory = takesStories ? describe : describeThorough;
  const suite = (): void => body({ it: storiesOf(name) });
  if (missingBrowser === undefined) describeStory(name, suite);
  else if (process.env.WAYMARK_REQUIRE_BROWSER)
    it(name, () => {
      throw new Error(missingBrowser);
    });
  else describe.skip(`${name} (${missingBrowser})`, suite);
}

/** The same for stories that continue with what the ones before have left: drawn as a whole. */
export function describeTourInBrowser(name: string, body: () => void): void {
  if (isDrawn(name)) describeInBrowser(name, body);
  else it.skip(`${name}: ${NOT_DRAWN}`, () => {});
}

/** What drives it is loaded now: it takes a worker over a second of the processor, and most runs skip the stories. */
export async function launchBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: PATH, args: FLAGS });
}
