import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { goTo, Studio } from './studio.js';

const line = (text: string) => ({
  id: 'Line',
  type: 'Elsa.WriteLine',
  text: { typeName: 'String', expression: { type: 'Literal', value: text } },
});
const file = (definitionId: string, name: string) => ({
  name: `${definitionId}.json`,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify({ definitionId, name, root: line(name) })),
});

describeInBrowser('workflows in Studio', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  const act = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const dialog = (page: Page) => page.getByRole('dialog');
  const call = async (route: string) => (await studio.host.call('GET', `/elsa/api/${route}`)).json;

  it('workflows in Studio are made from templates, and the ones that answer requests do so once they are published', async () => {
    const page = await studio.open('/workflows');
    await page.getByRole('button', { name: 'New workflow' }).click();
    await dialog(page).getByLabel('Name').fill('Greet me (please)');
    await dialog(page).getByText('HTTP answer').click();
    expect(await dialog(page).getByLabel('Id').inputValue()).toBe('greet-me-please');
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'new-workflow');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Greet me (please)' }).waitFor();
    await page.getByTestId('rf__node-Answer').waitFor();
    await studio.picture(page, 'workflow');
    expect(await studio.axe(page)).toEqual([]);
    await page.goto(`${studio.host.url}/studio/workflows`);
    await row(page, 'Greet me (please)').getByText('Draft').waitFor();
    await act(page, 'Greet me (please)', 'Publish');
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('status').getByText('Published.').waitFor();
    await row(page, 'Greet me (please)').getByText('Published').waitFor();
    expect((await studio.host.call('GET', '/workflows/greet-me-please?name=Mia')).json).toEqual({
      greeting: 'Hello, Mia!',
    });
    await act(page, 'Greet me (please)', 'Run');
    await dialog(page).getByLabel('Query, such as page=1').fill('name=Ann');
    await dialog(page).getByRole('button', { name: 'Send' }).click();
    await dialog(page).getByText('Hello, Ann!').waitFor();
  });

  it('workflows in Studio have dialogs that Back closes, and that leave the list below as it was', async () => {
    const page = await studio.open('/settings');
    await page.getByRole('link', { name: 'Workflows', exact: true }).click();
    await page.getByLabel('Search by name, description or id').fill('hello');
    await row(page, 'Hello').waitFor();
    await page.waitForURL('**/workflows?q=hello');
    await page.getByRole('button', { name: 'Import' }).click();
    await dialog(page).waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    await page.waitForURL('**/workflows?q=hello');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.waitForURL('**/workflows?q=hello');
    await page.getByRole('button', { name: 'New workflow' }).click();
    await dialog(page).getByLabel('Name').fill('Made behind a dialog');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Made behind a dialog' }).waitFor();
    await page.goBack();
    await row(page, 'Hello').waitFor();
    expect(await dialog(page).count()).toBe(0);
    await page.goBack();
    await page.waitForURL('**/studio/settings');
  });

  it.each([
    ['Approval', 'An approval'],
    ['Nightly job', 'A night'],
    ['State machine', 'An order'],
  ])('workflows in Studio of the template "%s" can be published', async (template, name) => {
    const page = await studio.open('/workflows?dialog=create');
    await dialog(page).getByLabel('Name').fill(name);
    await dialog(page).getByText(template).click();
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goto(`${studio.host.url}/studio/workflows`);
    await act(page, name, 'Publish');
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('status').getByText('Published.').waitFor();
  });

  it('workflows in Studio are made, drawn, published and run by the keyboard alone, from the list to the instance', async () => {
    const page = await studio.open('/workflows');
    const { keyboard } = page;
    const hasFocus = (selector: string) => page.locator(`${selector}:focus`).waitFor();
    /** Tab, until it is there: no more often than a person would bear. */
    const tabTo = async (name: RegExp, key = 'Tab') => {
      for (let step = 0; step < 25; step++) {
        await keyboard.press(key);
        const focused = page.locator(':focus');
        if (name.test((await focused.getAttribute('aria-label')) ?? (await focused.textContent()) ?? '')) return;
      }
      throw new Error(`Too far away: ${name}`);
    };
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    await tabTo(/^New workflow$/);
    await keyboard.press('Enter');
    await dialog(page).getByLabel('Name').waitFor();
    await keyboard.type('By keys');
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keys' }).waitFor();
    await hasFocus('[data-canvas]');
    await keyboard.press('Insert');
    await page.getByRole('combobox', { name: /^Add an activity/ }).waitFor();
    await keyboard.type('write line');
    await keyboard.press('Enter');
    await page.locator('.react-flow__node').filter({ hasText: 'WriteLine1' }).waitFor();
    // To the value of its first property, not to the language of that.
    await keyboard.press('Enter');
    await keyboard.type('written by keys');
    await keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Properties' }).getByLabel('Text', { exact: true }).waitFor();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('written by keys');
    // The types of activities are one stop, in which arrows go on.
    await tabTo(/^Hide the activities$/, 'Shift+Tab');
    await keyboard.press('Tab');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Add Fork (flow)');
    await tabTo(/^Canvas$/);
    await keyboard.press('p');
    await dialog(page).getByRole('button', { name: 'Publish' }).and(page.locator(':focus')).waitFor();
    await keyboard.press('Enter');
    await page.getByRole('status').getByText('Published.').waitFor();
    expect(await call('workflow-definitions/by-definition-id/by-keys')).toMatchObject({
      version: 1,
      isPublished: true,
    });
    await keyboard.press('r');
    await hasFocus('[data-run-dock] input');
    await keyboard.type('from-keys');
    await keyboard.press('Enter');
    await page.getByRole('region', { name: 'Run the draft' }).getByText('Finished', { exact: true }).waitFor();
    await keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go anywhere' }).waitFor();
    await keyboard.type('from-keys');
    await page.getByRole('option', { name: /from-keys/ }).waitFor();
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'from-keys' }).waitFor();
    await hasFocus('#content');
  });

  it('a workflow of the template "State machine" changes its state by events', async () => {
    const page = await studio.open('/workflows?dialog=create');
    await dialog(page).getByLabel('Name').fill('Orders');
    await dialog(page).getByText('State machine').click();
    await studio.picture(page, 'new-machine');
    expect(await studio.axe(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    const mark = (state: string, word: string) =>
      page.locator('.react-flow__node').filter({ hasText: state }).getByText(word, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dock = page.getByRole('region', { name: 'Run the draft' });
    await dock.getByRole('button', { name: 'Start' }).click();
    await mark('Open', 'waits');
    await dock.getByRole('button', { name: 'Send event paid' }).click();
    await mark('Paid', 'waits');
    await studio.picture(page, 'machine-template');
    await dock.getByRole('button', { name: 'Send event shipped' }).click();
    await dock.getByText('Finished').waitFor();
    await mark('Shipped', 'has run');
  });

  it('workflows in Studio begin with a template where there is none yet', async () => {
    const page = await studio.open('/');
    // The host brings samples: as a host without them would answer.
    await page.route('**/elsa/api/workflow-definitions?versionOptions=Latest&orderBy*', (route) =>
      route.fulfill({ json: { items: [], totalCount: 0 } }),
    );
    await page.getByRole('link', { name: 'Workflows', exact: true }).click();
    await page.getByRole('heading', { name: 'No workflow yet' }).waitFor();
    await studio.picture(page, 'no-workflow');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('button', { name: /Nightly job/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Nightly job' }).waitFor();
    await page.getByTestId('rf__node-EveryNight').waitFor();
  });

  it('workflows in Studio are imported from files and archives, and exported as what they are', async () => {
    const page = await studio.open('/workflows');
    await page.getByRole('button', { name: 'Import' }).click();
    const zip = zipSync({
      'two.json': file('zipped-two', 'Zipped two').buffer,
      'three.json': file('zipped-three', 'Zipped three').buffer,
    });
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles([
        file('imported-one', 'Imported one'),
        { name: 'more.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) },
      ]);
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'import');
    await dialog(page).getByRole('button', { name: 'Import 2 files' }).click();
    await page.getByRole('status').getByText('3 workflows imported.').waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), act(page, 'Imported one', 'Export')]);
    const exported = JSON.parse(readFileSync(await saved.path(), 'utf8')) as { definitionId: string; root: object };
    expect(exported).toMatchObject({ definitionId: 'imported-one', name: 'Imported one' });
    expect(exported.root).toMatchObject(line('Imported one'));
  });

  it('workflows in Studio that cannot be imported are refused in a sentence, and the files stay to be corrected', async () => {
    const page = await studio.open('/workflows?dialog=import');
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles([{ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"root": 1}') }]);
    await dialog(page).getByRole('button', { name: 'Import 1 file' }).click();
    await dialog(page).getByText('The server rejected this.').waitFor();
    await dialog(page).getByText('broken.json').waitFor();
    await studio.picture(page, 'import-refused');
    // Corrected, it takes the place of the one from before, which the browser could not read any more.
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles([file('broken', 'Not broken any more')].map((one) => ({ ...one, name: 'broken.json' })));
    await dialog(page).getByRole('button', { name: 'Import 1 file' }).click();
    await page.getByRole('status').getByText('1 workflow imported.').waitFor();
  });

  it('workflows in Studio that are imported beside a broken file are there, and the dialog says which file failed', async () => {
    const page = await studio.open('/workflows?dialog=import');
    const zip = zipSync({
      'fine.json': file('beside-broken', 'Beside a broken file').buffer,
      'broken.json': Buffer.from('{ nope'),
    });
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles([{ name: 'both.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) }]);
    await dialog(page).getByRole('button', { name: 'Import 1 file' }).click();
    const alert = dialog(page).getByRole('alert');
    await alert.getByText('1 workflow imported. One could not be imported:').waitFor();
    await alert.getByText('broken.json').waitFor();
    await alert.getByText(/line 1/).waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'import-partly');
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('Beside a broken file').waitFor();
  });

  it('workflows in Studio with an unpublished draft are imported only when the draft may be replaced', async () => {
    await studio.host.call('POST', '/elsa/api/workflow-definitions/import', {
      definitionId: 'drawn-by-mia',
      name: 'Drawn by Mia',
      root: line('of Mia'),
    });
    const page = await studio.open('/workflows?dialog=import');
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles([file('drawn-by-mia', 'Of last week'), file('of-last-week', 'New of last week')]);
    await dialog(page).getByRole('button', { name: 'Import 2 files' }).click();
    const alert = dialog(page).getByRole('alert');
    await alert.getByText('1 workflow imported. One was not imported').waitFor();
    await alert.getByText('Drawn by Mia').waitFor();
    await studio.picture(page, 'import-kept');
    expect(await studio.axe(page)).toEqual([]);
    const nameOf = async () =>
      (await studio.host.call('GET', '/elsa/api/workflow-definitions/by-definition-id/drawn-by-mia')).json.name;
    expect(await nameOf()).toBe('Drawn by Mia');
    await alert.getByRole('button', { name: 'Replace the draft' }).click();
    await page.getByRole('status').getByText('1 workflow imported.').waitFor();
    expect(await nameOf()).toBe('Of last week');
  });

  it('workflows in Studio are renamed, duplicated, found, and changed many at once', async () => {
    await studio.host.call('POST', '/elsa/api/workflow-definitions/import', {
      definitionId: 'old-name',
      name: 'Old name',
      root: line('x'),
    });
    const page = await studio.open('/workflows');
    await act(page, 'Old name', 'Rename');
    await dialog(page).getByLabel('Name').fill('New name');
    await dialog(page).getByRole('button', { name: 'Rename' }).click();
    await row(page, 'New name').waitFor();
    await act(page, 'New name', 'Duplicate');
    await dialog(page).getByRole('button', { name: 'Duplicate' }).click();
    await row(page, 'New name (copy)').waitFor();
    expect((await call('workflow-definitions/by-definition-id/new-name-copy')).root).toMatchObject(line('x'));
    await page.getByRole('searchbox').fill('New name');
    await page.getByText('1–2 of 2').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('toolbar').getByText('2 selected').waitFor();
    await studio.picture(page, 'selected');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('toolbar').getByRole('button', { name: 'Publish' }).click();
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('status').getByText('2 published.').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Retract' }).click();
    await dialog(page).getByRole('button', { name: 'Retract' }).click();
    await page.getByRole('status').getByText('2 retracted.').waitFor();
    await row(page, 'New name').getByText('Draft').waitFor();
    expect(page.url()).toContain('q=New+name');
  });

  it('workflows in Studio are deleted only after a confirmation that names what is deleted with them', async () => {
    await studio.host.call('POST', '/elsa/api/workflow-definitions', {
      model: {
        definitionId: 'doomed',
        name: 'Doomed',
        root: {
          id: 'Wait',
          type: 'Elsa.Event',
          eventName: { typeName: 'String', expression: { type: 'Literal', value: 'never' } },
        },
      },
      publish: true,
    });
    await studio.host.call('POST', '/elsa/api/workflow-definitions/doomed/execute', {});
    const page = await studio.open('/workflows?q=doomed');
    await act(page, 'Doomed', 'Delete');
    await dialog(page).getByText('1 instance with its journal').waitFor();
    await dialog(page).getByText('1 of them runs or waits, and will be cancelled first').waitFor();
    await studio.picture(page, 'delete');
    expect(await studio.axe(page)).toEqual([]);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No workflow matches.').waitFor();
    // What uses it was asked before the question; of one that is gone it cannot be said.
    expect(asked.filter((path) => path.endsWith('/consumers'))).toEqual([]);
    expect((await studio.host.call('GET', '/elsa/api/workflow-definitions/doomed')).status).toBe(404);
    await goTo(page, '/workflows/doomed/versions');
    await page.getByText('There is no workflow “doomed”.').waitFor();
  });

  it('workflows in Studio go back to an older version', async () => {
    for (const text of ['first', 'second'])
      await studio.host.call('POST', '/elsa/api/workflow-definitions', {
        model: { definitionId: 'versions', name: 'Versions', root: line(text) },
        publish: true,
      });
    const page = await studio.open('/workflows/versions/versions');
    await page.getByRole('row').filter({ hasText: '1' }).getByRole('button', { name: 'Roll back' }).click();
    await dialog(page).getByText('Version 1 becomes the new draft.').waitFor();
    await dialog(page).getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('status').getByText('Version 3 is the draft now.').waitFor();
    await page.getByRole('table').getByText('Draft').waitFor();
    await studio.picture(page, 'versions');
    expect(await studio.axe(page)).toEqual([]);
    expect((await call('workflow-definitions/by-definition-id/versions?versionOptions=Latest')).root).toMatchObject(
      line('first'),
    );
    expect((await call('workflow-definitions/by-definition-id/versions?versionOptions=Published')).root).toMatchObject(
      line('second'),
    );
  });

  it('a workflow from code is shown without actions that would change it', async () => {
    const page = await studio.open('/workflows?origin=code');
    await row(page, 'Leave approval').getByText('From code').waitFor();
    await page.getByRole('button', { name: 'Actions for Leave approval' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Leave approval' }).click();
    await page.locator('.react-flow__node').first().waitFor();
    await studio.picture(page, 'from-code');
  });
});
