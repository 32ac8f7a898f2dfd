import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { literal, script } from './designer.js';
import { leaveDeadLetters, leaveStimulus } from './dead-letters.js';
import { Studio } from './studio.js';

/** What is asked for a second time, by another person or after an answer that was lost, is done once. */
describeTourInBrowser('what Studio is asked for twice', () => {
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
  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });

  it('there is no second retry of an activity that another person has retried', async () => {
    const amount = { id: 'v', name: 'Amount', typeName: 'Int32', value: '7' };
    const variables = [{ ...amount, storageDriverTypeName: 'WorkflowInstanceStorageDriver' }];
    const eventName = script('String', "if (getAmount() < 10) missing('x'); return 'paid'");
    await publish('charges', { id: 'Charge', type: 'Elsa.Event', eventName }, { variables });
    const { id } = (await call('POST', 'workflow-definitions/charges/execute', {})).workflowState;
    await call('POST', `workflow-instances/${id}/variables`, { variables: [{ id: 'v', value: 12 }] });
    const page = await studio.open(`/instances/${id}`);
    await page.getByRole('button', { name: 'Retry Charge' }).click();
    await button(page, 'Retry').waitFor();
    const { workflowState } = await call('GET', `workflow-instances/${id}`);
    const { activityInstanceId } = workflowState.incidents[0];
    const alterations = [{ type: 'ScheduleActivity', activityInstanceId, onlyFaulted: true }];
    let before: { subStatus: string; workflowState: { bookmarks: object[] } };
    // The other person is faster by a moment.
    await page.route('**/alterations/run', async (route) => {
      await call('POST', 'alterations/run', { workflowInstanceIds: [id], alterations });
      before = await call('GET', `workflow-instances/${id}`);
      await route.continue();
    });
    await button(page, 'Retry').click();
    // In a note: the dialog goes with the failure.
    await page.getByText('Charge does not stand failed any more').waitFor();
    await dialog(page).waitFor({ state: 'detached' });
    await studio.picture(page, 'retried-meanwhile');
    expect([before!.subStatus, before!.workflowState.bookmarks.length]).toEqual(['Suspended', 1]);
    expect((await call('GET', `workflow-instances/${id}`)).workflowState).toEqual(before!.workflowState);
  });

  it('there is no second start where the answer of the first was lost, but one where the first was answered', async () => {
    await publish('pays', { id: 'Line', type: 'Elsa.WriteLine', text: literal('String', 'paid') });
    const page = await studio.open('/workflows');
    await page.getByRole('button', { name: 'Actions for pays' }).click();
    await page.getByRole('menuitem', { name: 'Run' }).click();
    await button(page, 'Start').waitFor();
    await page.route(
      '**/workflow-definitions/pays/dispatch',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const count = async () => (await call('POST', 'workflow-instances', { definitionId: 'pays' })).totalCount;
    await button(page, 'Start').click();
    await dialog(page).getByRole('alert').waitFor();
    await button(page, 'Start').click();
    await dialog(page).getByText('Finished').waitFor();
    expect(await count()).toBe(1);
    await button(page, 'Start again').click();
    await dialog(page).getByRole('link', { name: 'Open the instance' }).waitFor();
    await studio.settled(page);
    expect(await count()).toBe(2);
  });

  it('a creation that is repeated after its answer was lost makes one workflow, and replaces none of another person', async () => {
    const page = await studio.open('/workflows?dialog=create');
    await dialog(page).getByLabel('Name').fill('订单');
    await dialog(page).getByText('HTTP answer').click();
    const rootOf = async (id: string) => (await call('GET', `workflow-definitions/by-definition-id/${id}`)).root;
    const theirs = { id: 'Theirs', type: 'Elsa.WriteLine', text: literal('String', 'theirs') };
    // The other person is faster by a moment.
    await page.route(
      '**/workflow-definitions',
      async (route) => {
        await call('POST', 'workflow-definitions', { model: { definitionId: 'workflow', name: '客户', root: theirs } });
        await route.continue();
        await page.route(
          '**/workflow-definitions',
          async (second) => {
            await second.fetch();
            await second.abort();
          },
          { times: 1 },
        );
      },
      { times: 1 },
    );
    await button(page, 'Create').click();
    await dialog(page).getByRole('alert').waitFor();
    await button(page, 'Create').click();
    await page.getByRole('heading', { level: 1, name: '订单' }).waitFor();
    expect(await rootOf('workflow')).toMatchObject({ id: 'Theirs' });
    expect((await rootOf('workflow-2')).activities[0].id).toBe('Request');
    expect(page.url()).toContain('/workflows/workflow-2');
    expect((await call('GET', 'workflow-definitions?searchTerm=workflow-&versionOptions=Latest')).totalCount).toBe(1);
  });

  it('there is no second delivery of a stimulus that was replayed, and found the instance that waits for it', async () => {
    await publish('answers', { id: 'Ask', type: 'Elsa.Event', eventName: literal('String', 'answered') });
    const { id, bookmarks } = (await call('POST', 'workflow-definitions/answers/execute', {})).workflowState;
    await leaveStimulus(studio.host.databaseFile, 'early', { workflowInstanceId: id, bookmarkId: bookmarks[0].id });
    const page = await studio.open('/dead-letters?source=bookmark-queue&letter=early');
    await dialog(page).getByText('"answer": 42').waitFor();
    await button(page, 'Replay').click();
    await dialog(page).getByText('It is put into the queue again').waitFor();
    await button(page, 'Replay').click();
    await page.getByRole('status').getByText('Replayed.').waitFor();
    await page.goto(`${studio.host.url}/studio/instances/${id}`);
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.goto(`${studio.host.url}/studio/dead-letters?source=bookmark-queue&letter=early`);
    await dialog(page).getByText('Replayed', { exact: true }).waitFor();
    await studio.picture(page, 'dead-letter-replayed');
    expect(await button(page, 'Replay').isDisabled()).toBe(true);
    const again = await studio.host.call('POST', '/elsa/api/bookmark-queue/dead-letters/early/replay', {});
    expect(again.status).toBe(409);
    await call('DELETE', 'bookmark-queue/dead-letters/early');
  });

  it('there is no deletion of a dead letter that came after the question', async () => {
    await leaveDeadLetters(studio.host.databaseFile, ['m1', 'm2'], 's1');
    const page = await studio.open('/dead-letters');
    await page.getByRole('button', { name: 'Delete all 2' }).click();
    await dialog(page).getByText('2 dead letters').first().waitFor();
    await leaveDeadLetters(studio.host.databaseFile, ['m3'], 's2');
    await button(page, 'Delete').click();
    await page.getByRole('status').getByText('2 deleted.').waitFor();
    expect((await call('POST', 'outbox/dead-letters', {})).items.map((letter: { id: string }) => letter.id)).toEqual([
      'm3',
    ]);
  });
});
