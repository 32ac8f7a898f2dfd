import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { Studio } from './studio.js';

/** The address says what is filtered by, and follows a moment after it was typed. */
describeTourInBrowser('what is typed into the filters of Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const filter = (page: Page, name: string) => page.getByRole('search').getByLabel(name, { exact: true });
  const asked = (page: Page, name: string, value: string) =>
    page.waitForURL((url) => url.searchParams.get(name) === value);

  it('keeps the space between two words, between which the search has begun', async () => {
    const page = await studio.open('/workflows');
    const search = filter(page, 'Search by name, description or id');
    await search.pressSequentially('leave ');
    await asked(page, 'q', 'leave');
    await studio.settled(page);
    await search.pressSequentially('approval');
    await asked(page, 'q', 'leave approval');
    await page.getByRole('link', { name: 'Leave approval' }).waitFor();
    await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Hello' }).waitFor();
    expect(await search.inputValue()).toBe('');
  });

  it('keeps the caret in a number, and each part of a moment that is typed over another one', async () => {
    const zone = { timezoneId: 'Europe/Vienna' };
    const page = await studio.open('/instances?version=145&from=2026-11-29T00%3A00', zone);
    const version = filter(page, 'Version');
    await version.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('23');
    await asked(page, 'version', '12345');
    const from = filter(page, 'From');
    const momentOf = (text: string) => page.evaluate<number>(`new Date(${JSON.stringify(text)}).getTime()`);
    await from.focus();
    // As slowly as it asks in between.
    for (const digit of '11302027') {
      await page.keyboard.type(digit);
      await asked(page, 'from', new Date(await momentOf(await from.inputValue())).toISOString());
      await studio.settled(page);
    }
    expect(await from.inputValue()).toBe('2027-11-30T00:00');
    // To a reader elsewhere, the link means the same moment.
    const link = new URL(page.url()).searchParams.get('from')!;
    expect(link).toBe('2027-11-29T23:00:00.000Z');
    const far = await studio.openAlone(`/instances?from=${link}`, { timezoneId: 'America/New_York' });
    expect(await filter(far, 'From').inputValue()).toBe('2027-11-29T18:00');
  });
});
