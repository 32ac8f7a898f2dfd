import type { BrowserContextOptions, Page } from 'playwright-core';

/** What a page can change while it is there. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>;

const VIEWPORT = { width: 1280, height: 800 };

/** For a person with a browser of their own. */
export const optionsOf = (look: BrowserContextOptions): BrowserContextOptions => ({
  viewport: VIEWPORT,
  // Colours are looked at: none may be on its way to another.
  reducedMotion: 'reduce',
  ...look,
});

/** If true, a page that is there already can look like that. */
export const isLook = (options: BrowserContextOptions): options is Look =>
  Object.keys(options).every((name) => name === 'viewport' || name === 'colorScheme');

/**
 * A page that stories of a file use one after the other. It has nothing of the story before, but the process that drew it, with scripts
 * that are loaded and compiled: half of what a page costs.
 */
export class KeptPage {
  private page: Page | undefined;
  private isTaken = false;

  /** @param empty address on the server of a document without scripts */
  constructor(private readonly empty: () => string) {}

  /** The page for a story. @param begin opens one where there is none; undefined when the story has it already */
  async take(look: Look, begin: () => Promise<Page>): Promise<Page | undefined> {
    if (this.isTaken) return undefined;
    this.isTaken = true;
    this.page ??= await begin();
    await this.page.setViewportSize(look.viewport ?? VIEWPORT);
    await this.page.emulateMedia({ colorScheme: look.colorScheme ?? 'light' });
    return this.page;
  }

  /** The end of a story: nothing of it is left. */
  async leave(): Promise<void> {
    const { page, isTaken } = this;
    this.isTaken = false;
    if (!page || !isTaken) return;
    try {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const other of page.context().pages()) if (other !== page) await other.close();
      // Storage is that of the server's pages. What a page of Studio writes when it is left has been written then.
      await page.goto(this.empty());
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await page.context().clearCookies();
      await page.mouse.move(0, 0);
    } catch {
      // Closed by the story, or without the server: the next one begins with another.
      this.page = undefined;
      await page.context().close();
    }
  }
}
