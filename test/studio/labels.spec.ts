import type { Locator } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { at, designerOf, flowchart, link, literal } from './designer.js';
import { Studio } from './studio.js';

/** How wide a node is, with the dot of its outcome. */
const NODE = 220 + 12;
const SENTENCE = 'The customer has paid everything at once';
const cases = [
  { label: SENTENCE, condition: { type: 'JavaScript', value: 'true' } },
  { label: 'No', condition: { type: 'JavaScript', value: 'false' } },
];
const request = {
  id: 'R',
  name: 'R',
  type: 'Elsa.SendHttpRequest',
  version: 1,
  url: literal('Uri', 'http://127.0.0.1:1/'),
  expectedStatusCodes: [{ statusCode: 200 }],
};

describeTourInBrowser('long names in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { node, open, saved, store, stored } = designerOf(() => studio);
  const edges = async (place: Locator) => {
    const { x, y, width, height } = (await place.boundingBox())!;
    return { left: x, right: x + width, top: y, bottom: y + height };
  };
  const isCut = (text: Locator) => text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

  it('long names in Studio of slots are readable; longer ones end in dots, and a pointer shows the whole', async () => {
    const flow = flowchart([
      { ...request, ...at(60) },
      { id: 'S', name: 'S', type: 'Elsa.Switch', version: 1, cases, ...at(400) },
    ]);
    await store('slots', flow);
    const page = await open('slots');
    for (const name of ['Unmatched status code', 'Failed to connect', 'Timeout'])
      expect([name, await isCut(node(page, 'HTTP Request').getByText(name, { exact: true }))]).toEqual([name, false]);
    const slot = node(page, 'Switch').locator(`button[title="${SENTENCE}"]`);
    const [outer, inner] = [await edges(slot), await edges(slot.getByText(SENTENCE))];
    expect(inner.left).toBeGreaterThan(outer.left);
    expect(inner.right).toBeLessThan(outer.right);
    await studio.picture(page, 'long-slots');
    expect(await studio.axe(page)).toEqual([]);
  });

  it('long names in Studio of outcomes have room before what is put behind them', async () => {
    await store('ports', flowchart([{ id: 'S', name: 'S', type: 'Elsa.FlowSwitch', version: 1, cases, ...at(60) }]));
    const page = await open('ports');
    await node(page, 'Switch').locator(`.react-flow__handle[data-handleid="${SENTENCE}"]`).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill('Write Line');
    await page.keyboard.press('Enter');
    await node(page, 'Write Line').waitFor();
    await saved(page);
    const { root } = await stored('ports');
    const { x } = root.activities!.find(({ type }) => type === 'Elsa.WriteLine')!.metadata!.designer!.position!;
    await page.keyboard.press('f');
    const label = node(page, 'Switch').getByText(SENTENCE);
    await label.waitFor();
    // In points of the canvas, which is larger or smaller on the screen.
    expect(x).toBeGreaterThanOrEqual(60 + NODE + (await label.evaluate(({ offsetWidth }: HTMLElement) => offsetWidth)));
    await studio.picture(page, 'long-ports');
  });

  it('long names in Studio of outcomes are shortened in the picture of an instance, between the ends of the arrow', async () => {
    const which = { id: 'S', name: 'S', type: 'Elsa.FlowSwitch', version: 1, cases };
    const said = { id: 'B', name: 'B', type: 'Elsa.WriteLine', version: 1, text: literal('String', 'b') };
    await store('pictured', flowchart([which, said], [link('S', 'B', SENTENCE)]));
    await studio.host.call('POST', '/elsa/api/workflow-definitions/pictured/publish', {});
    const { json } = await studio.host.call('POST', '/elsa/api/workflow-definitions/pictured/execute', {});
    const page = await studio.open(`/instances/${json.workflowState.id}`);
    const picture = page.getByRole('group', { name: 'Picture of the workflow' });
    const shown = (name: string) => picture.locator('.react-flow__node').filter({ hasText: name });
    await shown('Write Line').waitFor();
    const label = await edges(picture.locator('.react-flow__edge-text'));
    expect(label.left).toBeGreaterThanOrEqual((await edges(shown('Switch'))).right);
    expect(label.right).toBeLessThanOrEqual((await edges(shown('Write Line'))).left);
    await studio.picture(page, 'long-labels-of-a-picture');
  });

  it('long names in Studio of slots make a node as high as they need, also where nothing has a place yet', async () => {
    const requests = [1, 2, 3].map((number) => ({ ...request, id: `R${number}`, name: `R${number}` }));
    const flow = flowchart(
      [{ id: 'A', name: 'A', type: 'Elsa.WriteLine', version: 1, text: literal('String', 'a') }, ...requests],
      requests.map(({ id }) => link('A', id)),
    );
    await store('placed', flow);
    const page = await open('placed');
    const boxes = await Promise.all(requests.map(({ name }) => edges(node(page, name))));
    boxes.sort((one, other) => one.top - other.top);
    for (const [index, box] of boxes.slice(1).entries()) expect(box.top).toBeGreaterThan(boxes[index]!.bottom);
  });
});
