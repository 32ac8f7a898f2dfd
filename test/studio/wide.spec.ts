import type { Locator, Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { at, designerOf, flowchart, line, link, literal } from './designer.js';
import { Studio } from './studio.js';

const COUNT = 40;
const WIDTH = 220;
const names = ['First', ...Array.from({ length: COUNT - 2 }, (_, index) => `Step${index}`), 'Approval'];
const approval = { id: 'Approval', type: 'Elsa.Event', eventName: literal('String', 'approved') };
const activities = names.map((name, index) =>
  name === 'Approval' ? { ...approval, ...at(index * 290) } : line(name, index * 290),
);
const connections = names.slice(1).map((name, index) => link(names[index]!, name));

/** Too wide for any screen: forty activities in a row, of which the last one waits. */
describeTourInBrowser('a wide workflow in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    const model = { definitionId: 'wide', name: 'Wide', root: flowchart(activities, connections) };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model, publish: true });
    for (const name of ['Order of Mia', 'Order of Tom'])
      await studio.host.call('POST', '/elsa/api/workflow-definitions/wide/execute', { name });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { canvas, node, open } = designerOf(() => studio);
  const box = async (thing: Locator) => (await thing.boundingBox())!;
  const onPicture = (page: Page, name: string) => page.locator('.react-flow__node').filter({ hasText: name });

  it('opens in the designer at its start, near enough to be read', async () => {
    const page = await open('wide');
    await node(page, 'First').waitFor();
    await studio.settled(page);
    const [frame, first] = [await box(canvas(page)), await box(node(page, 'First'))];
    expect(first.x).toBeGreaterThan(frame.x);
    expect(first.x + first.width).toBeLessThan(frame.x + frame.width);
    expect(first.y).toBeGreaterThan(frame.y);
    expect(first.width).toBeGreaterThanOrEqual(WIDTH / 2);
    await studio.picture(page, 'designer-wide');
    expect(await studio.axe(page)).toEqual([]);
  });

  it('comes near enough to read the activity that was looked for', async () => {
    const page = await open('wide');
    await node(page, 'First').waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    // A block without words.
    const far = canvas(page).locator('.react-flow__node[data-id="Approval"]');
    await far.waitFor();
    expect((await box(far)).width).toBeLessThan(WIDTH / 4);
    await page.keyboard.press('Control+f');
    await page.getByRole('dialog').getByRole('combobox').fill('Approval');
    await page.getByRole('option', { name: /Approval/ }).waitFor();
    await page.keyboard.press('Enter');
    await node(page, 'First').waitFor({ state: 'detached' });
    expect((await box(node(page, 'Approval'))).width).toBeGreaterThanOrEqual(WIDTH / 2);
  });

  it('shows how many stand where in numbers that can be read, and goes to the place that is chosen', async () => {
    const page = await studio.open('/workflows/wide/standing');
    const numbers = onPicture(page, 'Approval').getByTitle('2 instances wait here');
    await numbers.waitFor();
    await studio.settled(page);
    expect((await box(onPicture(page, 'Approval'))).width).toBeLessThan(WIDTH / 4);
    expect((await box(numbers)).height).toBeGreaterThan(14);
    await studio.picture(page, 'standing-wide');
    await page.getByRole('button', { name: 'Approval 2 wait' }).click();
    await onPicture(page, 'First').waitFor({ state: 'detached' });
    expect((await box(onPicture(page, 'Approval'))).width).toBeGreaterThanOrEqual(WIDTH / 2);
    await studio.picture(page, 'standing-wide-chosen');
    expect(await studio.axe(page)).toEqual([]);
  });

  it('is one stop of Tab as a picture, in which arrows go along it, also to what was not drawn yet', async () => {
    const page = await studio.open('/workflows/wide/standing');
    await onPicture(page, 'First').waitFor();
    const stops = page.locator('.react-flow__node[tabindex="0"]');
    expect(await stops.count()).toBe(1);
    await stops.focus();
    const focused = (name: string) =>
      page
        .locator('.react-flow__node:focus')
        .filter({ has: page.getByText(name, { exact: true }) })
        .waitFor();
    await focused('First');
    await page.keyboard.press('ArrowRight');
    await focused('Step0');
    expect(await stops.count()).toBe(1);
    // Near enough to see a few of them.
    await page.getByRole('button', { name: 'Approval 2 wait' }).click();
    await onPicture(page, 'First').waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'Approval, Event' }).focus();
    for (let index = COUNT - 3; index > COUNT - 13; index--) {
      await page.keyboard.press('ArrowLeft');
      await focused(`Step${index}`);
    }
    expect(await onPicture(page, 'Approval').count()).toBe(0);
  });
});
