import type { Locator, Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { type ActivityJson, at, designerOf, flowchart, line, link, literal } from './designer.js';
import { Studio } from './studio.js';

const COUNT = 240;
const COLUMNS = 20;
const LAST = `Step${COUNT - 1}`;
const place = (index: number) => ({
  metadata: { designer: { position: { x: (index % COLUMNS) * 290, y: Math.floor(index / COLUMNS) * 110 } } },
});
const names = Array.from({ length: COUNT }, (_, index) => `Step${index}`);
const activities = names.map((name, index) => ({
  ...(name === LAST ? { id: name, name, type: 'Elsa.Event', eventName: literal('String', 'approved') } : line(name, 0)),
  ...place(index),
}));
const connections = names.slice(1).map((name, index) => link(names[index]!, name));

/** More activities than can be read at once: from afar they are blocks. */
describeTourInBrowser('a workflow of hundreds of activities in Studio', () => {
  let studio: Studio;
  let instanceId: string;
  beforeAll(async () => {
    studio = await Studio.start();
    for (const definitionId of ['large', 'drawn']) {
      const model = { definitionId, name: definitionId, root: flowchart(activities, connections) };
      await studio.host.call('POST', '/elsa/api/workflow-definitions', { model, publish: true });
    }
    await studio.host.call('POST', '/elsa/api/workflow-definitions/large/execute', {});
    const { json } = await studio.host.call('GET', '/elsa/api/workflow-instances?definitionId=large');
    instanceId = (json as { items: { id: string }[] }).items[0]!.id;
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { canvas, open, opened, saved, stored, drag } = designerOf(() => studio);
  const all = (page: Page) => page.locator('.react-flow__node');
  const nodeOf = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const elements = (page: Page) => page.locator('.react-flow__viewport *').count();
  const middle = async (thing: Locator) => {
    const { x, y, width, height } = (await thing.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const openInstance = async () => {
    const page = await studio.open(`/instances/${instanceId}`);
    await nodeOf(page, LAST).waitFor();
    await studio.settled(page);
    return page;
  };
  const showAll = async (page: Page) => {
    await opened(page);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await nodeOf(page, LAST).waitFor();
  };

  it('draws an element for each activity of an instance from afar, and whole activities near', async () => {
    const page = await openInstance();
    expect(await all(page).count()).toBe(COUNT);
    // The first one, at which the keyboard begins, and the one that waits are whole.
    expect(await elements(page)).toBeLessThan(COUNT + 80);
    expect(await nodeOf(page, 'Step7').getAttribute('data-tone')).toBe('finished');
    const label = { name: 'Step7, Write Line, Finished', exact: true } as const;
    expect(await page.getByRole('group', label).getAttribute('aria-description')).toBe('Leads to Step8');
    await nodeOf(page, LAST).getByText('Stands here').waitFor();
    await studio.picture(page, 'instance-large');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('group', label).click();
    await nodeOf(page, 'Step7').getByText('Step7', { exact: true }).waitFor();
    const zoomIn = page.getByRole('button', { name: 'Zoom in' });
    for (let clicks = 0; clicks < 10; clicks += 1) await zoomIn.click();
    // A block has its colour itself.
    await page.locator('.react-flow__node[data-tone]').first().waitFor({ state: 'detached' });
    expect(await all(page).count()).toBeLessThan(COUNT);
  });

  it('has arrows that go from block to block of an instance', async () => {
    const page = await openInstance();
    await page.locator('.react-flow__node[tabindex="0"]').focus();
    for (const name of ['Step1', 'Step2', 'Step3']) {
      await page.keyboard.press('ArrowRight');
      await page.locator(`.react-flow__node[data-id="${name}"]:focus`).getByText(name, { exact: true }).waitFor();
    }
    expect(await page.locator('.react-flow__node[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/node=/);
  });

  it('draws an element for each activity in the designer from afar, and whole activities near', async () => {
    const page = await open('drawn');
    await showAll(page);
    expect(await all(page).count()).toBe(COUNT);
    expect(await elements(page)).toBeLessThan(COUNT + 60);
    expect(await studio.axe(page)).toEqual([]);
    await canvas(page).focus();
    await page.keyboard.press('Control+f');
    const status = page.getByRole('dialog').getByRole('status');
    await status.getByText(/^60 of \d+\. Type more letters/).waitFor();
    await studio.picture(page, 'find-many');
    await page.getByRole('dialog').getByRole('combobox').fill('nothing of that name');
    await status.getByText('Nothing found.').waitFor();
    await page.getByRole('dialog').getByRole('combobox').fill(LAST);
    await status.getByText('1 found.').waitFor();
    await page.getByRole('option', { name: new RegExp(LAST) }).waitFor();
    await page.keyboard.press('Enter');
    await nodeOf(page, LAST).getByText(LAST, { exact: true }).waitFor();
  });

  it('has blocks that can be selected, boxed and dragged', async () => {
    const page = await open('drawn');
    await showAll(page);
    await nodeOf(page, 'Step42').click();
    await page.getByRole('complementary', { name: 'Properties' }).getByText('Step42').first().waitFor();
    const [first, last] = [await middle(nodeOf(page, 'Step21')), await middle(nodeOf(page, 'Step43'))];
    await page.keyboard.down('Shift');
    await page.mouse.move(first.x - 9, first.y - 5);
    await page.mouse.down();
    await page.mouse.move(last.x, last.y, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.getByRole('complementary', { name: 'Properties' }).getByText('6 activities selected').first().waitFor();
    await page.keyboard.press('Escape');
    const from = nodeOf(page, LAST);
    const { x, y } = await middle(from);
    await drag(page, from, { x: x - 10, y: y + 40 });
    await saved(page);
    const now = (await stored('drawn')).root.activities!.find(({ id }: ActivityJson) => id === LAST)!;
    expect(now.metadata!.designer!.position!.y).toBeGreaterThan(place(COUNT - 1).metadata.designer.position.y + 100);
    expect(await all(page).count()).toBe(COUNT);
  });

  it('shows all of the pasted activities, not only the first', async () => {
    const { store } = designerOf(() => studio);
    await store('apart', flowchart([line('A', 60), { ...line('B', 0), ...at(2400) }]));
    const page = await open('apart');
    await opened(page);
    await canvas(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await all(page).nth(3).waitFor();
    await page.waitForFunction(`(() => {
      const frame = document.querySelector('[data-canvas]').getBoundingClientRect();
      const boxes = [...document.querySelectorAll('.react-flow__node.selected')].map((node) => node.getBoundingClientRect());
      return boxes.length === 2 && boxes.every(({ left, right }) => left > frame.left && right < frame.right);
    })()`);
    await studio.picture(page, 'pasted-apart');
  });
});
