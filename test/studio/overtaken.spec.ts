import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { designerOf, flowchart, line } from './designer.js';
import { Studio } from './studio.js';

describeInBrowser('a workflow that another person saves while Studio asks about it', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { stored } = designerOf(() => studio);
  const save = (definitionId: string, text: string, publish = false) =>
    studio.host.call('POST', '/elsa/api/workflow-definitions', {
      model: { definitionId, name: definitionId, root: flowchart([line('A', 0, text)]) },
      publish,
    });
  const dialog = (page: Page) => page.getByRole('dialog');
  const act = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
    await dialog(page).waitFor();
    await studio.settled(page);
  };
  const shows = async (page: Page, from: string, to: string) => {
    await dialog(page).getByText('Another person has saved this workflow').waitFor();
    await dialog(page).getByText(from, { exact: true }).waitFor();
    await dialog(page).getByText(to, { exact: true }).waitFor();
  };

  it('is rolled back only when what they have saved was looked at', async () => {
    await save('to-roll-back', 'one', true);
    await save('to-roll-back', 'two', true);
    const page = await studio.open('/workflows/to-roll-back/versions');
    await page.getByRole('row').filter({ hasText: '1' }).getByRole('button', { name: 'Roll back' }).click();
    await dialog(page).waitFor();
    await studio.settled(page);
    await save('to-roll-back', 'theirs');
    await dialog(page).getByRole('button', { name: 'Roll back' }).click();
    await shows(page, 'two', 'theirs');
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'overtaken-rollback');
    expect(JSON.stringify(await stored('to-roll-back'))).toContain('theirs');
    await dialog(page).getByRole('button', { name: 'Roll back anyway' }).click();
    await page
      .getByRole('status')
      .getByText(/^Version \d is the draft now/)
      .waitFor();
    expect(JSON.stringify(await stored('to-roll-back'))).toContain('"one"');
  });

  it.each([
    ['Retract', false, 'Retracted.'],
    ['Publish', true, 'Published.'],
  ])('offers "%s anyway" beside what they have saved', async (action, publishes, done) => {
    const id = `to-${action.toLowerCase()}`;
    await save(id, 'one', true);
    await save(id, 'two');
    const isPublished = async () => {
      const query = `definitionIds=${id}&versionOptions=Published`;
      return (await studio.host.call('GET', `/elsa/api/workflow-definitions?${query}`)).json as {
        items: { version: number }[];
      };
    };
    const page = await studio.open('/workflows');
    await act(page, id, action);
    await save(id, 'theirs');
    await dialog(page).getByRole('button', { name: action }).click();
    await shows(page, 'two', 'theirs');
    expect((await isPublished()).items.map(({ version }) => version)).toEqual([1]);
    await dialog(page)
      .getByRole('button', { name: `${action} anyway` })
      .click();
    await page.getByRole('status').getByText(done).waitFor();
    expect((await isPublished()).items.map(({ version }) => version)).toEqual(publishes ? [2] : []);
  });

  it('is renamed with what they have saved at the same moment', async () => {
    await save('to-rename', 'one');
    const page = await studio.open('/workflows');
    await act(page, 'to-rename', 'Rename');
    await page.route(
      '**/elsa/api/workflow-definitions',
      async (route) => {
        await save('to-rename', 'theirs');
        await route.continue();
      },
      { times: 1 },
    );
    await dialog(page).getByLabel('Name').fill('Renamed');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Renamed.').waitFor();
    const found = await stored('to-rename');
    expect(found.name).toBe('Renamed');
    expect(JSON.stringify(found)).toContain('theirs');
  });

  const isThere = async (path: string) =>
    (await studio.host.call('GET', `/elsa/api/workflow-definitions/${path}`)).status;

  it('is deleted only when what they have saved was looked at', async () => {
    await save('to-delete', 'one', true);
    const page = await studio.open('/workflows');
    await act(page, 'to-delete', 'Delete');
    await save('to-delete', 'theirs');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await shows(page, 'one', 'theirs');
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'overtaken-delete');
    expect(await isThere('by-definition-id/to-delete')).toBe(200);
    await dialog(page).getByRole('button', { name: 'Delete anyway' }).click();
    await page.getByRole('status').getByText('Deleted.').waitFor();
    expect(await isThere('by-definition-id/to-delete')).toBe(404);
  });

  it('loses a draft only when what they have saved in it was looked at', async () => {
    await save('to-lose', 'one', true);
    await save('to-lose', 'two');
    const { id } = (await studio.host.call('GET', '/elsa/api/workflow-definitions/by-definition-id/to-lose')).json as {
      id: string;
    };
    const page = await studio.open('/workflows/to-lose/versions');
    await act(page, 'Version 2', 'Delete version');
    await save('to-lose', 'theirs');
    await dialog(page).getByRole('button', { name: 'Delete version' }).click();
    await shows(page, 'two', 'theirs');
    expect(await isThere(`by-id/${id}`)).toBe(200);
    await dialog(page).getByRole('button', { name: 'Delete version anyway' }).click();
    await page.getByRole('status').getByText('Version deleted.').waitFor();
    expect(await isThere(`by-id/${id}`)).toBe(404);
    expect(JSON.stringify(await stored('to-lose'))).toContain('"one"');
  });

  it.each([
    ['/workflows', 'to-start', 'Delete'],
    ['/workflows/to-start-too/versions', 'Version 1', 'Delete version'],
  ])('is deleted at %s only when its publication was looked at', async (path, name, action) => {
    const id = name === 'to-start' ? name : 'to-start-too';
    await save(id, 'one');
    const page = await studio.open(path);
    await act(page, name, action);
    await studio.host.call('POST', `/elsa/api/workflow-definitions/${id}/publish`, {});
    await dialog(page).getByRole('button', { name: action }).click();
    await dialog(page).getByText('It has been published since').waitFor();
    await dialog(page).getByText('It was not deleted.').waitFor();
    expect(await isThere(`by-definition-id/${id}`)).toBe(200);
    await dialog(page)
      .getByRole('button', { name: `${action} anyway` })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await isThere(`by-definition-id/${id}`)).toBe(404);
  });
});
