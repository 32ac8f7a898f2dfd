import { at, designerOf, flowchart, literal } from './designer.js';
import { describeTourInBrowser } from './browser.js';
import { Studio } from './studio.js';

const endpoint = {
  ...{ id: 'In', name: 'In', type: 'Elsa.HttpEndpoint', version: 1, path: literal('String', 'orders') },
  ...at(0),
};
const variable = { id: 'total', name: 'Total', typeName: 'Double', isArray: false, value: '0' };

/** What the pictures of whole pages do not show: what a person opens in the designer. */
describeTourInBrowser('parts of the designer of Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    await store('parts', flowchart([endpoint]), { variables: [variable] });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { store, node, properties, open, opened } = designerOf(() => studio);

  it('methods of an endpoint and variables break no rule of WCAG', async () => {
    const page = await open('parts');
    await opened(page);
    await node(page, 'HTTP Endpoint').click();
    await properties(page).getByRole('checkbox', { name: 'POST' }).waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await properties(page).getByRole('tab', { name: 'Data' }).click();
    await properties(page).getByRole('button', { name: /Total/ }).waitFor();
    expect(await studio.axe(page)).toEqual([]);
  });

  it('F1 shows the keys wherever the keyboard is', async () => {
    const page = await open('parts');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).focus();
    await page.keyboard.press('F1');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});
