import type { Page, Route } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { Studio } from './studio.js';

const never = {
  id: 'Wait',
  type: 'Elsa.Event',
  eventName: { typeName: 'String', expression: { type: 'Literal', value: 'never' } },
};

/** A dialog is closed before the server has answered, and another one is open by then. */
describeTourInBrowser('an answer in Studio that comes after its dialog was closed', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    await post('workflow-definitions', { model: { definitionId: 'waits', name: 'Waits', root: never }, publish: true });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const post = (route: string, body: object) => studio.host.call('POST', `/elsa/api/${route}`, body);
  const start = async (): Promise<string> =>
    (await post('workflow-definitions/waits/execute', {})).json.workflowState.id;
  const dialog = (page: Page) => page.getByRole('dialog');
  /** The next request to that address waits for its answer: the server's, or another one. */
  async function held(page: Page, address: string) {
    let tell = (_route: Route) => {};
    const asked = new Promise<Route>((resolve) => (tell = resolve));
    await page.route(address, tell, { times: 1 });
    const answer = async (own?: { status: number; json: object }) => {
      const route = await asked;
      await (own ? route.fulfill(own) : route.continue());
    };
    return { asked, answer };
  }

  it('lets a person stay on the page to which they have gone', async () => {
    const id = await start();
    const page = await studio.open(`/instances/${id}`);
    const { asked, answer } = await held(page, '**/bulk-actions/delete/workflow-instances');
    await page.getByRole('button', { name: `Actions for ${id}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await answer();
    await page.getByRole('status').getByText('Deleted.').waitFor();
    await studio.settled(page);
    expect(page.url()).toMatch(/\/settings$/);
  });

  it('does not close the next dialog, and says that it failed', async () => {
    const id = await start();
    const page = await studio.open(`/instances/${id}`);
    const { asked, answer } = await held(page, '**/bulk-actions/cancel/workflow-instances');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Cancel instance' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Actions for ${id}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await answer();
    await page.getByRole('status').getByText('Cancelled.').waitFor();
    await studio.settled(page);
    const again = await held(page, '**/bulk-actions/delete/workflow-instances');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await again.asked;
    await page.keyboard.press('Escape');
    await again.answer({ status: 500, json: {} });
    await page.getByRole('status').getByText('The server failed to do this.').waitFor();
  });

  it('lets a person stay where they are after an import as well', async () => {
    const page = await studio.open('/workflows?dialog=import');
    const { asked, answer } = await held(page, '**/workflow-definitions/import-files*');
    const chooser = page.waitForEvent('filechooser');
    await dialog(page).getByRole('button', { name: 'Choose files' }).click();
    const model = { definitionId: 'late', name: 'Late', root: never };
    await (
      await chooser
    ).setFiles({ name: 'late.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(model)) });
    await dialog(page).getByRole('button', { name: 'Import 1 file' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await answer();
    await page.getByRole('status').getByText('1 workflow imported.').waitFor();
    await studio.settled(page);
    expect(page.url()).toMatch(/\/settings$/);
  });
});
