import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { Studio } from './studio.js';

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const approval = { id: 'Approval', type: 'Elsa.Event', eventName: literal('String', 'approved') };

describeInBrowser('live updates in Studio', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    await deploy('waiting', 'Approvals');
    const call = { id: 'Call', type: 'Elsa.DispatchWorkflow', workflowDefinitionId: literal('String', 'waiting') };
    await deploy('parent', 'Parent', { ...call, waitForCompletion: literal('Boolean', true) });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const post = (route: string, body: object) => studio.host.call('POST', `/elsa/api/${route}`, body);
  const deploy = (definitionId: string, name: string, root: object = approval) =>
    post('workflow-definitions', { model: { definitionId, name, root }, publish: true });
  const start = async (definitionId: string, body: object = {}): Promise<string> =>
    (await post(`workflow-definitions/${definitionId}/execute`, body)).json.workflowState.id;
  const approve = (workflowInstanceId: string) => post('events/approved/trigger', { workflowInstanceId });

  /** A page that never asks by itself: what it shows later, the server has told it. */
  async function openWithoutPolling(address: string): Promise<Page> {
    const page = await studio.openAlone('/settings');
    await page.addInitScript('globalThis.setInterval = () => 0');
    await page.goto(`${studio.host.url}/studio${address}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await studio.settled(page);
    return page;
  }

  it('an approval that is given elsewhere moves the picture, the journal and what it waits for', async () => {
    // Applications choose ids as they like.
    const id = await start('waiting', { instanceId: 'order 4711, the "first"' });
    const page = await openWithoutPolling(`/instances/${encodeURIComponent(id)}?tab=waiting`);
    await page.getByRole('button', { name: 'Resume from here' }).waitFor();
    await page.locator('.react-flow__node').filter({ hasText: 'Approval' }).getByText('Waiting').waitFor();
    await studio.picture(page, 'live-before');
    await approve(id);
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.getByText('It does not wait for anything.').waitFor();
    await page
      .locator('.react-flow__node')
      .filter({ hasText: 'Approval' })
      .getByText('Waiting')
      .waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: /Journal/ })
      .getByRole('button', { name: /Approval.*completed/ })
      .waitFor();
    await studio.picture(page, 'live-after');
  });

  it('the list of instances has those that start and end elsewhere, and so has the front page', async () => {
    const list = await openWithoutPolling('/instances?workflow=waiting');
    const home = await openWithoutPolling('/');
    const id = await start('waiting', { name: 'Order of Tom' });
    const row = list.getByRole('row').filter({ hasText: 'Order of Tom' });
    await row.getByText('Waiting', { exact: true }).waitFor();
    const waiting = home.getByRole('region', { name: 'Waiting longest' }).getByRole('link', { name: 'Order of Tom' });
    await waiting.waitFor();
    await approve(id);
    await row.getByText('Finished').waitFor();
    await waiting.waitFor({ state: 'detached' });
    await studio.host.call('DELETE', `/elsa/api/workflow-instances/${id}`);
    await row.waitFor({ state: 'detached' });
  });

  it('the list of workflows has what is published and deleted elsewhere', async () => {
    const page = await openWithoutPolling('/workflows');
    await deploy('new-one', 'New one');
    await page.getByRole('link', { name: 'New one' }).waitFor();
    await studio.host.call('DELETE', '/elsa/api/workflow-definitions/new-one');
    await page.getByRole('link', { name: 'New one' }).waitFor({ state: 'detached' });
  });

  it('an untouched drawing follows what another person saves', async () => {
    const line = (text: string) => ({ id: 'Line', name: text, type: 'Elsa.WriteLine', text: literal('String', text) });
    await deploy('followed', 'Followed', { id: 'Flow', type: 'Elsa.Flowchart', activities: [line('Before')] });
    const page = await openWithoutPolling('/workflows/followed');
    await page.locator('.react-flow__node').filter({ hasText: 'Before' }).waitFor();
    await deploy('followed', 'Followed', { id: 'Flow', type: 'Elsa.Flowchart', activities: [line('After')] });
    await page.locator('.react-flow__node').filter({ hasText: 'After' }).waitFor();
  });

  it('an instance with the same correlation id that ends elsewhere does so in the family too', async () => {
    const [id, other] = [
      await start('waiting', { correlationId: 'kin' }),
      await start('waiting', { correlationId: 'kin' }),
    ];
    const page = await openWithoutPolling(`/instances/${id}?tab=family`);
    const kin = page.getByRole('tabpanel').getByRole('listitem').last();
    await kin.getByText('Waiting', { exact: true }).waitFor();
    await approve(other);
    await kin.getByText('Finished').waitFor();
  });

  it('a child that ends elsewhere does so in the family of its parent too', async () => {
    const id = await start('parent');
    const page = await openWithoutPolling(`/instances/${id}?tab=family`);
    const child = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'waiting' }).last();
    await child.getByText('Waiting', { exact: true }).waitFor();
    const { json } = await post('workflow-instances', { parentWorkflowInstanceIds: [id] });
    await approve(json.items[0].id);
    await child.getByText('Finished').waitFor();
  });

  it('where the API has no live updates, or no free connection, pages poll every few seconds and say so', async () => {
    for (const status of [404, 503]) {
      const id = await start('waiting');
      const page = await studio.open('/settings');
      await page.route('**/events/stream**', (route) => route.fulfill({ status, json: { message: 'No.' } }));
      await page.goto(`${studio.host.url}/studio/instances/${id}`);
      await page.getByText('Not live', { exact: true }).waitFor();
      await page.locator('.react-flow__node').filter({ hasText: 'Approval' }).getByText('Waiting').waitFor();
      await approve(id);
      await page.getByText('Finished', { exact: true }).first().waitFor();
    }
  });
});
