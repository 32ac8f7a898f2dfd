import { existsSync } from 'node:fs';
import { jest } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { describeThorough, isThorough } from '../support/depth.js';

/** A story has many steps, and the machine may be busy with others. */
const STORY_MS = 300_000;

/**
 * Debian's, or the one that WAYMARK_CHROMIUM names. The first draws pages and has no window: a browser with one starts a second
 * renderer for each page, for the pages that its window is made of.
 */
const DEBIANS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const PATH = process.env.WAYMARK_CHROMIUM ?? DEBIANS.find((file) => existsSync(file)) ?? DEBIANS[0];

const FLAGS = [
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

/**
 * `describe` where there is a browser, in runs that take the stories. Without one the stories are skipped, and say so, but
 * never where WAYMARK_REQUIRE_BROWSER is set, as in CI.
 */
export function describeInBrowser(name: string, body: () => void): void {
  jest.setTimeout(STORY_MS);
  const describeStory = takesStories ? describe : describeThorough;
  if (missingBrowser === undefined) describeStory(name, body);
  else if (process.env.WAYMARK_REQUIRE_BROWSER)
    it(name, () => {
      throw new Error(missingBrowser);
    });
  else describe.skip(`${name} (${missingBrowser})`, body);
}

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: PATH, args: FLAGS });
