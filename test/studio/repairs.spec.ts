import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { link, literal, line, script } from './designer.js';
import { Studio } from './studio.js';

const event = (id: string) => ({ id, name: id, type: 'Elsa.Event', eventName: literal('String', id.toLowerCase()) });
const steps = (...activities: object[]) => ({ id: 'Steps', type: 'Elsa.Sequence', activities });

/** Repairs to their end: of many instances, some of which are refused. */
describeTourInBrowser('repairs in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const call = async (method: string, route: string, body?: object) =>
    (await studio.host.call(method, `/elsa/api/${route}`, body)).json;
  const publish = (definitionId: string, root: object, more: object = {}) =>
    call('POST', 'workflow-definitions', { model: { definitionId, name: definitionId, root, ...more }, publish: true });
  const start = async (definitionId: string): Promise<string> =>
    (await call('POST', `workflow-definitions/${definitionId}/execute`, { correlationId: definitionId })).workflowState
      .id;
  const trigger = (name: string, workflowInstanceId: string) =>
    call('POST', `events/${name}/trigger`, { workflowInstanceId });
  /** How often an activity began in it. */
  const begun = async (id: string, activity: string) => {
    const { items } = await call('GET', `workflow-instances/${id}/journal?pageSize=200`);
    return (items as { activityId: string; eventName: string }[]).filter(
      (entry) => entry.activityId === activity && entry.eventName === 'Started',
    ).length;
  };
  const dialog = (page: Page) => page.getByRole('dialog');
  const choose = async (page: Page, name: string, option: string) => {
    await dialog(page).getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const alterAll = async (definitionId: string, count: number) => {
    const page = await studio.open(`/instances?correlation=${definitionId}`);
    await page.getByText(`1–${count} of ${count}`).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Alter …' }).click();
    return page;
  };

  it('move all running instances to the new version, of which the newest has it already', async () => {
    await publish('order', steps(event('Paid'), event('Sent')));
    const ids = [await start('order'), await start('order')];
    await publish('order', steps(event('Paid'), event('Sent'), line('Thanks', 0)));
    ids.push(await start('order'));
    const page = await alterAll('order', 3);
    await choose(page, 'What to do', 'Move to another version');
    await choose(page, 'Version', 'Version 2, published');
    const preview = dialog(page).getByRole('region', { name: 'What it will do' });
    await preview.getByText('2 of 2 can move to that version').waitFor();
    await dialog(page).getByText('1 has that version already.').waitFor();
    await studio.picture(page, 'alter-move');
    expect(await studio.axe(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Alter', exact: true }).click();
    await page.getByRole('status').getByText('2 altered.').waitFor();
    for (const name of ['paid', 'sent']) for (const id of ids) await trigger(name, id);
    await page.getByRole('row').filter({ hasText: 'Finished' }).nth(2).waitFor();
    for (const id of ids) {
      const { version, subStatus } = await call('GET', `workflow-instances/${id}`);
      expect([version, subStatus, await begun(id, 'Thanks')]).toEqual([2, 'Finished', 1]);
    }
  });

  it('run an activity once in each instance, also when one was refused, and again only on demand when an answer was lost', async () => {
    await publish('mails', steps(event('Read')));
    const ids = [await start('mails')];
    await publish('mails', steps(line('Mail', 0), event('Read')));
    ids.push(await start('mails'), await start('mails'));
    const page = await alterAll('mails', 3);
    await choose(page, 'What to do', 'Run an activity again');
    await choose(page, 'Activity', 'Mail');
    await dialog(page).getByText('these are of version 2').waitFor();
    const alter = dialog(page).getByRole('button', { name: 'Alter', exact: true });
    await alter.click();
    await dialog(page).getByText('One could not be altered:').waitFor();
    await dialog(page).getByText('2 were altered, and are not altered again.').waitFor();
    await studio.picture(page, 'alter-refused');
    expect(await studio.axe(page)).toEqual([]);
    const answered = page.waitForResponse((response) => response.url().endsWith('/alterations/run'));
    await alter.click();
    expect((await answered).request().postDataJSON()).toMatchObject({ workflowInstanceIds: [ids[0]] });
    await dialog(page).getByText('One could not be altered:').waitFor();
    expect(await Promise.all(ids.map((id) => begun(id, 'Mail')))).toEqual([0, 2, 2]);
    // An answer that is lost says nothing: it is done again on demand only.
    await choose(page, 'Activity', 'Read');
    await page.route('**/alterations/run', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await alter.click();
    await dialog(page).getByText('The answer for 3 was lost: they may have been altered.').waitFor();
    await studio.picture(page, 'alter-lost');
    expect(await studio.axe(page)).toEqual([]);
    expect(await alter.isDisabled()).toBe(true);
    await dialog(page).getByLabel('Alter these again').check();
    expect(await alter.isDisabled()).toBe(false);
    await page.unroute('**/alterations/run');
  });

  it('skip an activity with the outcome that a connection takes, and cancel one of several', async () => {
    const ask = { ...event('Ask'), name: 'Ask' };
    const both = { id: 'Both', type: 'Elsa.Fork', branches: [event('Left'), event('Right')] };
    const root = {
      ...{ id: 'Flow', type: 'Elsa.Flowchart', activities: [ask, line('Late', 0), both] },
      connections: [link('Ask', 'Late', 'Too late'), link('Late', 'Both')],
    };
    await publish('asks', root);
    const id = await start('asks');
    const page = await alterAll('asks', 1);
    await choose(page, 'Activity', 'Ask');
    await dialog(page).getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Too late' }).click();
    await dialog(page).getByText('The activity counts as done, without running').waitFor();
    await dialog(page).getByRole('button', { name: 'Alter', exact: true }).click();
    await page.getByRole('status').getByText('Altered.').waitFor();
    expect([await begun(id, 'Late'), await begun(id, 'Left'), await begun(id, 'Right')]).toEqual([1, 1, 1]);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Alter …' }).click();
    await choose(page, 'What to do', 'Cancel an activity');
    await choose(page, 'Activity', 'Left');
    await dialog(page).getByText('The activity is cancelled, with everything inside it.').waitFor();
    await dialog(page).getByRole('button', { name: 'Alter', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const { workflowState } = await call('GET', `workflow-instances/${id}`);
    expect(workflowState.bookmarks.map((one: { activityId: string }) => one.activityId)).toEqual(['Right']);
  });

  it('begin at the last execution of an activity in a long loop', async () => {
    const bounds = { start: literal('Int32', 1), end: literal('Int32', 60) };
    await publish('loops', { id: 'Loop', type: 'Elsa.For', ...bounds, body: line('Turn', 0) });
    const id = await start('loops');
    const { items } = await call('GET', `activity-executions/list?workflowInstanceId=${id}&take=5`);
    const { activityNodeId } = (items as { activityId: string; activityNodeId: string }[]).find(
      ({ activityId }) => activityId === 'Turn',
    )!;
    const page = await studio.open(`/instances/${id}?node=${encodeURIComponent(activityNodeId)}`);
    const heading = (number: number) => page.getByRole('heading', { name: `Execution ${number}`, exact: true });
    await heading(60).waitFor();
    expect(await heading(10).count()).toBe(0);
    await studio.picture(page, 'executions');
    await page.getByRole('button', { name: 'Show earlier ones' }).click();
    await heading(1).waitFor();
    expect(await page.getByRole('button', { name: 'Show earlier ones' }).count()).toBe(0);
  });

  it('change one member of an object, of which the others stay what they are', async () => {
    const variable = {
      id: 'v',
      name: 'Order',
      typeName: 'Object',
      storageDriverTypeName: 'WorkflowInstanceStorageDriver',
    };
    const set = "setVariable('Order', { state: 'open', dueAt: new Date(0), lines: [{ at: new Date(1) }] })";
    const read = '[getOrder().dueAt.getTime(), getOrder().lines[0].at.getTime(), getOrder().state]';
    const output = { outputName: literal('String', 'read'), outputValue: script('Object', read) };
    const root = steps(
      { id: 'Set', type: 'Elsa.RunJavaScript', script: script('String', set) },
      event('First'),
      event('Second'),
      { id: 'Read', type: 'Elsa.SetOutput', ...output },
    );
    const outputs = [{ name: 'read', type: 'Object' }];
    await publish('dates', root, { variables: [variable], outputs });
    const id = await start('dates');
    const page = await studio.open(`/instances/${id}?tab=variables`);
    await page.getByRole('button', { name: 'Change Order' }).click();
    const field = dialog(page).getByLabel('Value, as JSON');
    await field.fill((await field.inputValue()).replace('open', 'late'));
    await dialog(page).getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('status').getByText('Order changed.').waitFor();
    await trigger('first', id);
    const [{ value }] = (await call('GET', `workflow-instances/${id}/variables`)).items;
    const alteration = { type: 'ModifyVariable', variableId: 'v', value: { ...value, state: 'closed' } };
    await call('POST', 'alterations/run', { workflowInstanceIds: [id], alterations: [alteration] });
    await trigger('second', id);
    await page.getByText('Finished', { exact: true }).first().waitFor();
    const { workflowState } = await call('GET', `workflow-instances/${id}`);
    expect([workflowState.incidents, workflowState.output.read]).toEqual([[], [0, 1, 'closed']]);
  });
});
