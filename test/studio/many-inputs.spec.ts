import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { at, designerOf, flowchart, line } from './designer.js';
import { Studio } from './studio.js';

const COUNT = 200;
/** All of them were drawn anew with each letter, which took thirty times as long. */
const TIMES_LONGER = 8;

describeTourInBrowser('an activity with two hundred inputs', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    const save = (definitionId: string, root: object, more: object = {}) =>
      studio.host.call('POST', '/elsa/api/workflow-definitions', {
        model: { definitionId, name: definitionId, root, ...more },
        publish: true,
      });
    await save('large-form', flowchart([line('A', 0)]), {
      options: { usableAsActivity: true },
      inputs: Array.from({ length: COUNT }, (_, index) => ({
        name: `Field${index + 1}`,
        displayName: `Field ${index + 1}`,
        type: 'String',
      })),
    });
    const { items } = (await studio.host.call('GET', '/elsa/api/descriptors/activities')).json as {
      items: { typeName: string; inputs: object[] }[];
    };
    const { typeName } = items.find(({ inputs }) => inputs.length >= COUNT)!;
    await save(
      'has-large-form',
      flowchart([{ id: 'Form', name: 'Form', type: typeName, version: 1, ...at(60) }, line('Small', 400)]),
    );
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { node, open, properties, saved } = designerOf(() => studio);
  /** Of the page's scripts, in milliseconds. */
  const workOf = async (page: Page, act: () => Promise<unknown>): Promise<number> => {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const spent = async () =>
      (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration')!.value *
      1000;
    const before = await spent();
    await act();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const after = await spent();
    await session.detach();
    return after - before;
  };
  const typeInto = async (page: Page, label: string) => {
    await properties(page).getByLabel(label, { exact: true }).focus();
    return workOf(page, () => page.keyboard.type('abcdefghijklmnop'));
  };

  it('takes letters as fast as one with a few, and shows the input that is looked for', async () => {
    const page = await open('has-large-form');
    await node(page, 'Small').click();
    const few = await typeInto(page, 'Text');
    await node(page, 'Form').click();
    // All of them are there a moment later, for the search of the browser and for screen readers.
    await properties(page).getByLabel(`Field ${COUNT}`, { exact: true }).waitFor({ state: 'attached' });
    const many = await typeInto(page, 'Field 2');
    expect(many / few).toBeLessThan(TIMES_LONGER);
    await properties(page).getByRole('searchbox', { name: 'Find an input' }).fill('field 19');
    await properties(page).getByLabel('Field 2', { exact: true }).waitFor({ state: 'detached' });
    await properties(page).getByLabel('Field 199', { exact: true }).fill('last but one');
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'many-inputs');
    await saved(page);
    const stored = JSON.stringify((await designerOf(() => studio).stored('has-large-form')).root);
    // Neither field has taken back what was typed into the other.
    expect(stored).toContain('abcdefghijklmnop');
    expect(stored).toContain('last but one');
  });
});
