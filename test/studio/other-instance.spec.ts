import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { goTo, Studio } from './studio.js';

const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const never = { id: 'Wait', type: 'Elsa.Event', eventName: literal('never') };

/** People leave a dialog by Back as well: the page that comes is about another instance. */
describeTourInBrowser('a question in Studio about an instance', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    const amount = { id: 'v-amount', name: 'Amount', typeName: 'Int32', value: '7' };
    const variables = [{ ...amount, storageDriverTypeName: 'WorkflowInstanceStorageDriver' }];
    await deploy('waits', never, { variables });
    await deploy('parent', {
      id: 'Call',
      type: 'Elsa.DispatchWorkflow',
      workflowDefinitionId: literal('waits'),
      waitForCompletion: literal(true, 'Boolean'),
    });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const post = (route: string, body: object) => studio.host.call('POST', `/elsa/api/${route}`, body);
  const deploy = (definitionId: string, root: object, more: object = {}) =>
    post('workflow-definitions', { model: { definitionId, name: definitionId, root, ...more }, publish: true });
  const start = async (definitionId: string, body: object = {}): Promise<string> =>
    (await post(`workflow-definitions/${definitionId}/execute`, body)).json.workflowState.id;
  const dialog = (page: Page) => page.getByRole('dialog');

  it('goes with its instance', async () => {
    const id = await start('parent', { name: 'The parent' });
    const page = await studio.open(`/instances/${id}?tab=family`);
    await page.getByRole('tabpanel').getByRole('link', { name: 'waits' }).click();
    await page.getByRole('heading', { level: 1, name: 'The parent' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Cancel instance' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'The parent' }).waitFor();
    await dialog(page).waitFor({ state: 'detached' });
  });

  it('goes also where it is about a variable that both have', async () => {
    const first = await start('waits', { name: 'First', correlationId: 'both' });
    const second = await start('waits', { name: 'Second', correlationId: 'both' });
    const page = await studio.open(`/instances/${first}?tab=variables`);
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
    await page.getByText('Amount').waitFor();
    await goTo(page, `/instances/${second}?tab=variables`);
    await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor();
    await page.getByRole('button', { name: 'Change Amount' }).click();
    await dialog(page).getByLabel('Value, as JSON').fill('8');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
    await dialog(page).waitFor({ state: 'detached' });
  });

  it('names the instance', async () => {
    const id = await start('waits', { name: 'Order of Mia' });
    const page = await studio.open(`/instances/${id}`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog(page).getByText('Order of Mia', { exact: true }).waitFor();
    await dialog(page).getByText(id, { exact: true }).waitFor();
    await studio.picture(page, 'instance-cancel');
    expect(await studio.axe(page)).toEqual([]);
  });
});
