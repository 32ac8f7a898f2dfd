import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { flowchart, line } from './designer.js';
import { goTo, Studio } from './studio.js';

const LONG = `A name that a department has agreed on over many meetings, ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}`;
const LINE_HEIGHT = 22;
const PHONE = { viewport: { width: 390, height: 844 } };
/** A laptop whose page is enlarged to 200 %. */
const ZOOMED = { viewport: { width: 640, height: 360 } };
const TABLET = { viewport: { width: 820, height: 900 } };

describeInBrowser('on narrow screens', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    const save = (name: string, publish: boolean) =>
      studio.host.call('POST', '/elsa/api/workflow-definitions', {
        model: { definitionId: 'long', name, root: flowchart([line('A', 0)], []) },
        publish,
      });
    await save('Order', true);
    await save(LONG, true);
    const root = flowchart([line('A', 0)], []);
    const model = { definitionId: 'heart', name: 'Heartbeats', root };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model, publish: true });
    await studio.host.call('POST', '/elsa/api/workflow-definitions/heart/execute', {});
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  /** How much of a table is out of sight. */
  const hidden = (page: Page) =>
    page.evaluate<number>(
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('table').parentElement)",
    );

  it('a long name takes two lines of the list', async () => {
    const page = await studio.open('/workflows', PHONE);
    const name = page.getByRole('link', { name: /^A name that/ });
    await name.waitFor();
    expect((await name.boundingBox())!.height).toBeLessThanOrEqual(2 * LINE_HEIGHT);
    expect(await name.getAttribute('title')).toBe(LONG);
    await studio.picture(page, 'narrow-workflows');
  });

  it.each([
    ['phone', PHONE],
    ['tablet', TABLET],
  ])('on a %s, the name of a workflow is not broken inside of a word', async (_, options) => {
    const page = await studio.open('/instances', options);
    const name = page.getByText('Heartbeats', { exact: true });
    await name.waitFor();
    expect((await name.boundingBox())!.height).toBeLessThanOrEqual(LINE_HEIGHT);
    expect(await hidden(page)).toBe(0);
    await studio.picture(page, `narrow-instances-${options.viewport.width}`);
  });

  it.each([
    ['phone', PHONE],
    ['tablet', TABLET],
  ])('on a %s, the canvas has room beside or above the properties, and all of its tools', async (_, options) => {
    const page = await studio.open('/workflows/heart', options);
    const canvas = page.getByRole('application', { name: 'Canvas' });
    await canvas.getByText('Write Line').waitFor();
    const outside = async () => {
      const [frame, boxes] = await Promise.all([
        canvas.boundingBox(),
        Promise.all((await canvas.getByRole('toolbar').getByRole('button').all()).map((tool) => tool.boundingBox())),
      ]);
      expect(boxes.length).toBeGreaterThan(6);
      return boxes.filter((tool) => tool!.x + tool!.width > frame!.x + frame!.width).length;
    };
    expect((await canvas.boundingBox())!.width).toBeGreaterThan(options.viewport.width / 2);
    expect(await outside()).toBe(0);
    await page.getByRole('button', { name: 'Show the activities' }).click();
    expect(await outside()).toBe(0);
    await studio.picture(page, `narrow-designer-${options.viewport.width}`);
  });

  it('on a page enlarged to 200 %, the tools of the canvas and the beginning of the properties are in sight', async () => {
    const page = await studio.open('/workflows/heart', ZOOMED);
    const canvas = page.getByRole('application', { name: 'Canvas' });
    await canvas.getByText('Write Line').waitFor();
    await studio.settled(page);
    for (const tool of await canvas.getByRole('toolbar').getByRole('button').all()) {
      const { y, height } = (await tool.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(ZOOMED.viewport.height);
    }
    const properties = (await page.getByRole('complementary', { name: 'Properties' }).boundingBox())!;
    expect(properties.y).toBeLessThanOrEqual(ZOOMED.viewport.height - 24);
    await studio.picture(page, 'narrow-designer-zoomed');
  });

  it.each(['/workflows/long/versions', '/audit'])('%s fits on a phone', async (address) => {
    const page = await studio.open(address, PHONE);
    await page.getByRole('table').waitFor();
    await studio.settled(page);
    expect(await hidden(page)).toBe(0);
    await studio.picture(page, `narrow${address.replaceAll('/', '-')}`);
  });

  it('on a phone, the picture of two versions has the width of the page, above what differs', async () => {
    const page = await studio.open('/workflows/long/compare', PHONE);
    const list = page.getByRole('region', { name: 'Differences' });
    await list.waitFor();
    await studio.settled(page);
    const [picture, differences] = await Promise.all([page.locator('.react-flow').boundingBox(), list.boundingBox()]);
    expect(picture!.width).toBeGreaterThan(350);
    expect(picture!.height).toBeGreaterThan(200);
    expect(differences!.y).toBeGreaterThanOrEqual(picture!.y + picture!.height);
    await studio.picture(page, 'narrow-compare');
  });

  it('on a phone, times of the audit trail are not broken into lines', async () => {
    const page = await studio.openAlone('', PHONE);
    await page.clock.setFixedTime(Date.now() + 4 * 60_000);
    await goTo(page, '/audit');
    const times = page.getByRole('table').locator('time').filter({ hasText: 'minutes ago', visible: true });
    await times.first().waitFor();
    for (const time of await times.all()) expect((await time.boundingBox())!.height).toBeLessThanOrEqual(LINE_HEIGHT);
    expect(await hidden(page)).toBe(0);
  });

  it('an older version is restored from the menu, which has the place of the button', async () => {
    const page = await studio.open('/workflows/long/versions', PHONE);
    await page.getByRole('button', { name: 'Actions for Version 1' }).click();
    await page.getByRole('menuitem', { name: 'Roll back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('status').getByText('Version 3 is the draft now.').waitFor();
  });
});
