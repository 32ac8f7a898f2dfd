import { describeTourInBrowser } from './browser.js';
import { designerOf } from './designer.js';
import { Studio } from './studio.js';

describeTourInBrowser('a sequence in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { canvas, properties, publish, saved, stored } = designerOf(() => studio);
  const typesOf = async () => (await stored('steps')).root.activities!.map(({ type }) => type);

  it('is made from the list, filled by clicks, put in order by keys, and run', async () => {
    const page = await studio.open('/workflows?dialog=create');
    const dialog = page.getByRole('dialog', { name: 'New workflow' });
    await dialog.getByLabel('Name', { exact: true }).fill('Steps');
    await dialog.getByText('Sequence', { exact: true }).click();
    await studio.picture(page, 'sequence-new');
    expect(await studio.axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await canvas(page).getByText('Nothing here yet').waitFor();
    const toolbox = page.getByRole('complementary', { name: 'Activities' });
    for (const type of ['Write Line', 'Set Name', 'Write Line']) {
      await toolbox.getByLabel('Search activities').fill(type);
      await toolbox.getByRole('button', { name: `Add ${type}`, exact: true }).click();
      await properties(page).getByRole('heading', { level: 2 }).waitFor();
    }
    await saved(page);
    expect(await typesOf()).toEqual(['Elsa.WriteLine', 'Elsa.SetName', 'Elsa.WriteLine']);
    await canvas(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+ArrowLeft');
    await page.getByRole('status').getByText('Not saved yet').waitFor();
    await saved(page);
    expect(await typesOf()).toEqual(['Elsa.SetName', 'Elsa.WriteLine', 'Elsa.WriteLine']);
    await studio.picture(page, 'sequence');
    await publish(page);
    await page.getByRole('status').getByText('Published', { exact: true }).waitFor();
    const { json } = await studio.host.call('POST', '/elsa/api/workflow-definitions/steps/execute', {});
    expect(json.workflowState.subStatus).toBe('Finished');
  });
});
