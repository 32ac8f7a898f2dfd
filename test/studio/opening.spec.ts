import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { flowchart, line, link, literal } from './designer.js';
import { Studio } from './studio.js';

const PHONE = { viewport: { width: 390, height: 844 } };
/** As wide as a node has to be that its name can be read: half of its full size. */
const READABLE = 100;

const plain = (id: string) => ({ id, name: id, type: 'Elsa.WriteLine', version: 1, text: literal('String', id) });
const waits = { id: 'Approval', name: 'Approval', type: 'Elsa.Event', version: 1, eventName: literal('String', 'go') };
const fault = { id: 'Declined', name: 'Declined', type: 'Elsa.Fault', version: 1 };
const lines = Array.from({ length: 9 }, (_, index) => plain(`Line${index}`));

describeTourInBrowser('the picture of an instance in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    const publish = (definitionId: string, root: object) =>
      studio.host.call('POST', '/elsa/api/workflow-definitions', {
        model: { definitionId, name: definitionId, root },
        publish: true,
      });
    await publish('steps', {
      id: 'Steps',
      type: 'Elsa.Sequence',
      version: 1,
      activities: [...lines, waits, plain('End')],
    });
    await publish('ended', { id: 'Steps', type: 'Elsa.Sequence', version: 1, activities: lines });
    const state = (name: string) => ({ name, entry: null, exit: null });
    const pays = { name: 'Pay', from: 'Open', to: 'Paid', trigger: waits, condition: null, action: fault };
    await publish('machine', {
      ...{ id: 'Order', name: 'Order', type: 'Elsa.StateMachine', version: 1, initialState: 'Open' },
      states: [state('Open'), state('Paid')],
      transitions: [pays],
    });
    await publish(
      'dangling',
      flowchart([plain('A'), plain('B'), plain('C')], [link('A', 'B'), link('A', 'C'), link('A', 'gone')]),
    );
    const inner = { ...flowchart([{ ...waits, metadata: {} }]), id: 'Inner', name: 'Inner' };
    await publish(
      'within',
      flowchart(
        [line('Begin', 0), { ...inner, metadata: { designer: { position: { x: 290, y: 100 } } } }],
        [link('Begin', 'Inner')],
      ),
    );
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const start = async (definitionId: string): Promise<string> => {
    await studio.host.call('POST', `/elsa/api/workflow-definitions/${definitionId}/execute`, {});
    const { json } = await studio.host.call('GET', `/elsa/api/workflow-instances?definitionId=${definitionId}`);
    return (json as { items: { id: string }[] }).items[0]!.id;
  };
  const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  /** The part of a node that is in the frame of the picture. */
  const seenWidth = async (page: Page, id: string): Promise<number> => {
    const [box, frame] = await Promise.all([node(page, id).boundingBox(), page.locator('.react-flow').boundingBox()]);
    if (!box || !frame) return 0;
    return Math.min(box.x + box.width, frame.x + frame.width) - Math.max(box.x, frame.x);
  };

  it('opens where the instance waits, near enough to be read, when the whole of it is too small to be read', async () => {
    const page = await studio.open(`/instances/${await start('steps')}`, PHONE);
    await node(page, 'Approval').getByText('Waiting').waitFor({ state: 'attached' });
    await studio.settled(page);
    expect(await seenWidth(page, 'Approval')).toBeGreaterThan(READABLE);
    await studio.picture(page, 'instance-opening');
    await page.getByRole('button', { name: 'Show everything' }).click();
    await node(page, 'Line0').waitFor();
    await node(page, 'End').waitFor();
  });

  it('opens at the first activity of an instance that has ended', async () => {
    const page = await studio.open(`/instances/${await start('ended')}`, PHONE);
    await node(page, 'Line0').getByText('Finished').waitFor({ state: 'attached' });
    await studio.settled(page);
    expect(await seenWidth(page, 'Line0')).toBeGreaterThan(READABLE);
  });

  it('needs no layout engine for activities in a line', async () => {
    const page = await studio.openAlone('');
    await page.route('**/assets/elk*', (route) => route.abort());
    await page.goto(`${studio.host.url}/studio/instances/${await start('ended')}`);
    await node(page, 'Line0').waitFor();
  });

  it('shows a state as failed in which an action failed, and opens what runs in it', async () => {
    const id = await start('machine');
    const page = await studio.open(`/instances/${id}`);
    await node(page, 'Open').getByText('Waiting').waitFor({ state: 'attached' });
    await studio.host.call('POST', '/elsa/api/events/go/trigger', { workflowInstanceId: id });
    await node(page, 'Open').getByText('Faulted').waitFor({ state: 'attached' });
    await node(page, 'Open').click();
    await page.getByRole('complementary').getByRole('heading', { name: 'Declined' }).waitFor();
    await studio.picture(page, 'machine-failed');
    await page.getByRole('button', { name: 'Open Open' }).click();
    await node(page, 'Declined').getByText('Faulted').waitFor({ state: 'attached' });
    await studio.picture(page, 'machine-state');
    expect(await studio.axe(page)).toEqual([]);
    const levels = page.getByRole('navigation', { name: 'Level of this picture' }).getByRole('button');
    expect(await levels.allTextContents()).toEqual(['Order', 'Open']);
    await levels.first().click();
    await node(page, 'Paid').waitFor();
  });

  it('is drawn without the connections that lead nowhere', async () => {
    const page = await studio.open(`/instances/${await start('dangling')}`);
    await node(page, 'C').getByText('Finished').waitFor({ state: 'attached' });
  });

  it('shows a container in which an activity waits as waiting, and a cancelled activity as cancelled', async () => {
    const id = await start('within');
    const page = await studio.open(`/instances/${id}`);
    await node(page, 'Inner').getByText('Waiting').waitFor({ state: 'attached' });
    await studio.host.call('POST', `/elsa/api/cancel/workflow-instances/${id}`, {});
    await node(page, 'Inner').getByText('Cancelled').waitFor({ state: 'attached' });
    await studio.picture(page, 'instance-cancelled');
    expect(await studio.axe(page)).toEqual([]);
  });
});
