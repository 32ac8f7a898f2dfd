import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { Studio } from './studio.js';

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const script = (value: string) => ({ typeName: 'String', expression: { type: 'JavaScript', value } });
const event = (id: string, name: string) => ({ id, type: 'Elsa.Event', eventName: literal('String', name) });
const check = { id: 'Check', type: 'Elsa.RunJavaScript', script: script("if (getBad()) missing('x')") };
const inner = { id: 'Inner', type: 'Elsa.Sequence', activities: [check, event('Payment', 'paid')] };
const bad = { id: 'bad', name: 'Bad', typeName: 'Boolean', value: 'false' };
const variables = [{ ...bad, storageDriverTypeName: 'WorkflowInstanceStorageDriver' }];

/** Seconds of the page's clock: longer than it would wait anywhere before it asks again. */
const IDLE_SECONDS = 30;

/** What a person on call does: sees where everything stands, repairs many at once, and finds out who changed what. */
describeTourInBrowser('operating in Studio', () => {
  let studio: Studio;
  let ids: string[];
  beforeAll(async () => {
    studio = await Studio.start();
    // Of the samples: an idle host changes nothing.
    for (const { id } of (await call('GET', 'schedules')).items) await call('POST', `schedules/${id}/pause`, {});
    const root = { id: 'Steps', type: 'Elsa.Sequence', activities: [event('Approval', 'approved'), inner] };
    for (const name of ['Order', 'Order, again'])
      await call('POST', 'workflow-definitions', {
        model: { definitionId: 'order', name, root, variables },
        publish: true,
      });
    ids = [];
    for (const name of ['one', 'two', 'three', 'four']) ids.push(await start(name));
    const wrong = { type: 'ModifyVariable', variableId: 'bad', value: true };
    await call('POST', 'alterations/run', { workflowInstanceIds: [ids[3]], alterations: [wrong] });
    await approve(ids[2]!);
    await approve(ids[3]!);
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const call = async (method: string, route: string, body?: object) =>
    (await studio.host.call(method, `/elsa/api/${route}`, body)).json;
  const start = async (name: string): Promise<string> =>
    (await call('POST', 'workflow-definitions/order/execute', { name: `Order ${name}`, correlationId: 'customer-9' }))
      .workflowState.id;
  const approve = (workflowInstanceId: string) => call('POST', 'events/approved/trigger', { workflowInstanceId });
  const node = (page: Page, name: string) => page.locator('.react-flow__node').filter({ hasText: name });
  const dialog = (page: Page) => page.getByRole('dialog');

  it('shows where in a workflow all instances stand, and the picture moves when the manager approves elsewhere', async () => {
    const page = await studio.open('/');
    await page.getByRole('region', { name: 'Failures by workflow' }).getByText('1 faulted').waitFor();
    await page.getByRole('region', { name: 'The last hour' }).getByText('started', { exact: false }).first().waitFor();
    await page.getByRole('region', { name: 'Nodes' }).getByText('1 takes work').waitFor();
    await page.getByRole('link', { name: 'Where they stand' }).click();
    const places = page.getByRole('region', { name: 'By activity' });
    await places.getByRole('button', { name: 'Approval 2 wait' }).waitFor();
    await places.getByRole('button', { name: 'Check 1 failed' }).waitFor();
    await node(page, 'Inner').getByText('Faulted', { exact: true }).waitFor({ state: 'attached' });
    await page.getByText('Live', { exact: true }).waitFor();
    await studio.picture(page, 'standing');
    // What it shows from now on, the server has told it.
    await page.evaluate('globalThis.setInterval = () => 0');
    await approve(ids[0]!);
    await places.getByRole('button', { name: 'Payment 2 wait' }).waitFor();
    await places.getByRole('button', { name: 'Approval 1 wait' }).waitFor();
    await page.getByRole('button', { name: 'Open Inner' }).click();
    await node(page, 'Payment').getByTitle('2 instances wait here').waitFor();
    await places.getByRole('button', { name: 'Approval 1 wait' }).click();
    expect(page.url()).toContain('node=');
    await page.setViewportSize({ width: 1024, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1024);
    expect(await studio.axe(page)).toEqual([]);
  });

  it('shows on the picture of an instance where it stands and how long its activities took', async () => {
    const page = await studio.open(`/instances/${ids[2]}?tab=family`);
    await node(page, 'Inner').getByTitle('Stands here').waitFor();
    await node(page, 'Approval')
      .getByText(/Event · \d/)
      .waitFor();
    expect(await node(page, 'Approval').getByTitle('Stands here').count()).toBe(0);
    await page.getByRole('tabpanel').getByRole('link', { name: 'Order one' }).waitFor();
    await studio.picture(page, 'instance-tokens');
    await page.getByRole('button', { name: /^Help/ }).click();
    await page.getByText('The picture shows what the instance did').waitFor();
    expect(await studio.axe(page)).toEqual([]);
  });

  it('sends no requests while nothing changes: an idle page has only the stream of the server', async () => {
    const places = ['/', '/workflows', '/instances', `/instances/${ids[1]}`, '/tasks', '/schedules', '/dead-letters'];
    const asked: Record<string, string[]> = {};
    const page = await studio.openAlone('/settings');
    await page.clock.install();
    const look = async (place: string): Promise<string[]> => {
      await page.goto(`${studio.host.url}/studio${place}`);
      await page
        .getByText('Live', { exact: true })
        .or(page.getByText('Not live', { exact: true }))
        .waitFor();
      // What was read before the stream was open is read once more, and parts of the page load when they are needed.
      for (let round = 0; round < 4; round++) {
        await page.clock.runFor(2_500);
        await studio.settled(page);
      }
      const seen: string[] = [];
      const note = (request: { url(): string }) => void seen.push(request.url());
      page.on('request', note);
      await page.clock.runFor(IDLE_SECONDS * 1000);
      await studio.settled(page);
      page.off('request', note);
      return seen;
    };
    for (const place of [...places, '/audit', '/settings', '/workflows/order/standing'])
      asked[place] = await look(place);
    expect(asked).toEqual(Object.fromEntries(Object.keys(asked).map((place) => [place, []])));
    // Without the stream it asks: so much would have been seen.
    await page.route('**/events/stream**', (route) => route.fulfill({ status: 404, json: { message: 'No.' } }));
    expect(await look('/')).not.toEqual([]);
  });

  it('alters many at once, after it has shown what will be changed in how many of them', async () => {
    const page = await studio.open('/instances?correlation=customer-9&sort=name&ascending=yes');
    await page.getByText('1–4 of 4').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Alter …' }).click();
    await dialog(page).getByRole('combobox', { name: 'Activity' }).click();
    await page.getByRole('option', { name: 'Payment' }).click();
    const preview = dialog(page).getByRole('region', { name: 'What it will do' });
    await preview.getByText('In 2 of 4, the activity has not ended').waitFor();
    await dialog(page).getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Move to another version' }).click();
    await dialog(page).getByRole('combobox', { name: 'Version' }).click();
    await page.getByRole('option', { name: 'Version 1' }).click();
    await preview.getByText(/of 4 can move to that version/).waitFor();
    await studio.picture(page, 'alter-migrate');
    expect(await studio.axe(page)).toEqual([]);
    await dialog(page).getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Change a variable' }).click();
    await dialog(page).getByRole('combobox', { name: 'Variable' }).click();
    await page.getByRole('option', { name: 'Bad' }).click();
    await dialog(page).getByLabel('Value, as JSON').fill('false');
    await preview.getByText('What runs next reads the new value, in all 4.').waitFor();
    await dialog(page).getByRole('button', { name: 'Alter', exact: true }).click();
    await page.getByRole('status').getByText('4 altered.').waitFor();
    const { items } = await call('GET', `workflow-instances/${ids[3]}/variables`);
    expect(items).toMatchObject([{ id: 'bad', value: false }]);
  });

  it('finds out who changed what, keeps the question in the address, and takes the answer along', async () => {
    const page = await studio.open('/audit');
    await page.getByRole('searchbox', { name: /^Action/ }).fill('alterations.run');
    await page.getByRole('searchbox', { name: 'Target id' }).fill(ids[3]!);
    await page.waitForURL(/action=alterations\.run&target=/);
    await page.getByRole('row').filter({ hasText: '4 targets' }).waitFor();
    await page
      .getByRole('button', { name: /^alterations.run/ })
      .first()
      .click();
    await dialog(page).getByRole('link', { name: ids[0]! }).waitFor();
    await studio.picture(page, 'audit-entry');
    expect(await studio.axe(page)).toEqual([]);
    const address = new URL(page.url());
    await page.keyboard.press('Escape');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'As a table (CSV)' }).click();
    const table = await readFile(await (await saved).path(), 'utf8');
    expect(table.split('\r\n').filter((text) => text.includes('alterations.run'))).toHaveLength(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page
      .getByRole('button', { name: /^definitions.save/ })
      .first()
      .waitFor();
    // The address of an entry opens it, also when it is not in the list.
    address.searchParams.set('action', 'definitions.save');
    await page.goto(address.href);
    await dialog(page).getByRole('link', { name: ids[0]! }).waitFor();
    address.searchParams.set('at', '2020-01-01T00:00:00.000Z');
    await page.goto(address.href);
    await page.getByRole('status').getByText('The entry of this address is not among those').waitFor();
  });

  it('says since when a server is paused, and why', async () => {
    await call('POST', 'admin/workflow-runtime/pause', { reason: 'The database moves' });
    const page = await studio.open('/settings');
    await page.getByText(/^Paused .*: The database moves$/).waitFor();
    await studio.picture(page, 'settings-paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog(page).getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The database moves').waitFor({ state: 'detached' });
  });

  // The last one: the host takes no work afterwards.
  it('drains a server before it is stopped, after a confirmation that explains it', async () => {
    const page = await studio.open('/settings');
    await page.getByRole('button', { name: 'Drain' }).click();
    await dialog(page).getByText('This cannot be undone: afterwards').waitFor();
    await dialog(page).getByRole('button', { name: 'Drain' }).click();
    await page.getByRole('row').getByText('Shutting down', { exact: true }).waitFor();
    await studio.picture(page, 'settings-drained');
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('This server is shutting down').waitFor();
  });
});
