import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../studio/browser.js';
import { BuiltHost } from '../support/built-host.js';
import { fakePackages } from './fake-package.js';

/**
 * The built host with components in the place of Elsa Studio, and a browser, for the tests of a suite.
 * @param components the script that defines them
 * @param settings of the host, as variables of its environment
 */
export function hostWith(components: string, settings: Readonly<Record<string, string>> = {}) {
  const packages = fakePackages(components);
  const host = new BuiltHost({ NODE_PATH: packages, ...settings });
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), host.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await host.remove();
    rmSync(packages, { recursive: true });
  });
  return {
    host,
    /** A page of a user of its own. @param path below that of Elsa Studio */
    async open(path = ''): Promise<Page> {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${host.url}/elsa-studio${path}`);
      return page;
    },
  };
}
