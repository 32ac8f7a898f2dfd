import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { BuiltHost } from '../support/built-host.js';
import { isThorough } from '../support/depth.js';
import { launchBrowser } from './browser.js';
import { isLook, KeptPage, optionsOf } from './kept-page.js';

/** Where stories leave pictures of what they saw, for people to look at. */
const PICTURES = process.env.WAYMARK_TEST_PICTURES ?? path.join(tmpdir(), 'waymark-studio');
const TAKES_PICTURES = isThorough || process.env.WAYMARK_TEST_PICTURES !== undefined;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const DRAW = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those that look at colours. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** A browser in front of a host. Everything that the pages log as an error is kept: a good story has none. */
export class Studio {
  readonly problems: string[] = [];
  private readonly contexts: BrowserContext[] = [];
  private readonly kept = new KeptPage(() => `${this.host.url}/studio/favicon.svg`);
  /** Requests under way; the stream of live updates does not end. */
  private readonly underWay = new WeakMap<Page, Set<Request>>();

  private constructor(
    readonly host: BuiltHost,
    private readonly browser: Browser,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Studio> {
    const host = new BuiltHost(env);
    const [browser] = await Promise.all([launchBrowser(), host.start()]);
    return new Studio(host, browser);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.host.remove();
  }

  /**
   * A person with a browser. The first one of a story has the page of the story before, without anything of it; a story that changes the
   * page itself, its scripts or its clock, has to open it alone. @param address below `/studio`
   */
  async open(address = '', options: BrowserContextOptions = {}): Promise<Page> {
    const kept = isLook(options) ? await this.kept.take(options, () => this.begin(options)) : undefined;
    return this.enter(kept ?? (await this.beginAlone(options)), address);
  }

  /** A person with a browser of their own, which ends with the story. @param address below `/studio` */
  async openAlone(address = '', options: BrowserContextOptions = {}): Promise<Page> {
    return this.enter(await this.beginAlone(options), address);
  }

  private async enter(page: Page, address: string): Promise<Page> {
    await page.goto(`${this.host.url}/studio${address}`);
    return page;
  }

  private async beginAlone(options: BrowserContextOptions): Promise<Page> {
    const page = await this.begin(options);
    this.contexts.push(page.context());
    return page;
  }

  private async begin(options: BrowserContextOptions): Promise<Page> {
    const context = await this.browser.newContext(optionsOf(options));
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => {
      // A refused request is shown by the page; whether it should be is what the story says.
      if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
        this.problems.push(`${page.url()}: ${message.text()}`);
    });
    const requests = new Set<Request>();
    this.underWay.set(page, requests);
    page.on('request', (request) => request.url().includes('/events/stream') || requests.add(request));
    page.on('requestfinished', (request) => requests.delete(request));
    page.on('requestfailed', (request) => requests.delete(request));
    page.on('pageerror', (error) => this.problems.push(`${page.url()}: ${error.stack ?? error.message}`));
    return page;
  }

  /** Ends all browsers of persons, and what they had open. @returns what went wrong in them */
  async leave(): Promise<string[]> {
    const problems = this.problems.splice(0);
    await Promise.all([this.kept.leave(), ...this.contexts.splice(0).map((context) => context.close())]);
    // Requests that a page is left in the middle of.
    this.problems.splice(0);
    return problems;
  }

  /** Until the page has what it asked for, and has drawn it. */
  async settled(page: Page): Promise<void> {
    const requests = this.underWay.get(page)!;
    do {
      while (requests.size > 0) await ended(page);
      await page.evaluate(DRAW);
    } while (requests.size > 0);
  }

  /** A picture of what is on the screen. Quick runs do without: in them it is only drawn. */
  async picture(page: Page, name: string): Promise<void> {
    if (!TAKES_PICTURES) return page.evaluate(DRAW);
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({ path: path.join(PICTURES, `${name}.png`), animations: 'disabled' });
  }

  /**
   * The same in both colours, for a page that was opened in light ones. In dark ones the rules that look at colours are asked again: for
   * the others it is the same page, and to load it anew would be most of the work.
   */
  async axeInBothColours(page: Page, name: string): Promise<string[]> {
    await this.picture(page, `${name}-light`);
    const light = await this.axe(page);
    await this.colours(page, 'dark');
    await this.picture(page, `${name}-dark`);
    const dark = await this.axe(page, RULES_OF_COLOURS);
    await this.colours(page, 'light');
    return [...light, ...dark.map((violation) => `in dark colours: ${violation}`)].map((text) => `${name}: ${text}`);
  }

  /** What the system asks for. A page whose person has chosen none takes them. */
  private async colours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    await page.evaluate(DRAW);
  }

  /** What the rules of WCAG 2.2 AA find wrong with the page as it is now. @param rules tags or names of others */
  async axe(page: Page, rules: readonly string[] = RULES): Promise<string[]> {
    // By the debugger's way in: the content policy lets no script into the page.
    if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
    // What is right would be described as well, node by node, and sent here: most of the work.
    const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] });
    const violations = await page.evaluate<AxeResults['violations']>(
      `axe.run(${options}).then(({ violations }) => violations)`,
    );
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`),
    );
  }
}

/** As a link does: the page stays. @param address below `/studio` */
export const goTo = (page: Page, address: string): Promise<void> =>
  page.evaluate(`window.history.pushState({}, '', ${JSON.stringify(`/studio${address}`)})`);

/** The end of any request. */
function ended(page: Page): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      page.off('requestfinished', done).off('requestfailed', done);
      resolve();
    };
    page.on('requestfinished', done).on('requestfailed', done);
  });
}
