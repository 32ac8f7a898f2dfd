import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { Studio } from './studio.js';

const literal = (value: unknown) => ({ typeName: 'String', expression: { type: 'Literal', value } });
const COUNT = 60;

/** A person on call has sixty of them, and a page shows fifty. */
describeTourInBrowser('many at once in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    // More than twenty are a plan of the server.
    studio = await Studio.start({ WAYMARK_API_SYNCHRONOUS_BULK: '20' });
    const variables = [
      { id: 'v', name: 'Desk', typeName: 'String', storageDriverTypeName: 'WorkflowInstanceStorageDriver' },
    ];
    const root = { id: 'Wait', type: 'Elsa.Event', eventName: literal('never') };
    await post('workflow-definitions', {
      model: { definitionId: 'waits', name: 'Waits', root, variables },
      publish: true,
    });
    const fails = { id: 'Fails', type: 'Elsa.Fault', message: literal('The desk is closed.') };
    await post('workflow-definitions', {
      model: { definitionId: 'fails', name: 'Fails', root: fails },
      publish: true,
    });
    for (const definitionId of ['waits', 'fails'])
      for (let number = 0; number < COUNT; number++)
        await post(`workflow-definitions/${definitionId}/execute`, { correlationId: definitionId });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const post = (route: string, body: object) => studio.host.call('POST', `/elsa/api/${route}`, body);
  const dialog = (page: Page) => page.getByRole('dialog');
  const takeAll = async (page: Page, rows: number, all: number) => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('toolbar', { name: `${rows} selected` }).waitFor();
    await page.getByRole('button', { name: `Select all ${all} that match` }).click();
    await page.getByRole('toolbar', { name: `${all} selected` }).waitFor();
  };
  /** As in a tab behind another one: nothing is heard there. */
  const lookAway = (page: Page, isAway: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { value: ${isAway}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  const act = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name }).click();

  it('keeps what was ticked on another page, and what new instances move there', async () => {
    const page = await studio.open('/instances?workflow=waits');
    await page.getByText('1–50 of 60').waitFor();
    const row = (number: number) => page.getByRole('row').nth(number).getByRole('checkbox');
    await row(1).check();
    await row(50).check();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('51–60 of 60').waitFor();
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor();
    await row(3).check();
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor();
    await page.goBack();
    await page.getByText('1–50 of 60').waitFor();
    expect([await row(1).isChecked(), await row(2).isChecked(), await row(50).isChecked()]).toEqual([
      true,
      false,
      true,
    ]);
    const { json } = await post('workflow-definitions/waits/execute', {});
    await page.getByText('1–50 of 61').waitFor();
    expect([await row(1).isChecked(), await row(2).isChecked()]).toEqual([false, true]);
    await act(page, 'Delete');
    await dialog(page).getByRole('heading', { name: 'Delete 3 instances' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await row(1).check();
    await page.getByRole('toolbar', { name: '4 selected' }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    // Deleted by another person, on a page that is not seen: the stream of live updates tells.
    await page.getByText('Live', { exact: true }).waitFor();
    await studio.host.call('DELETE', `/elsa/api/workflow-instances/${json.workflowState.id}`);
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor();
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
  });

  it('unticks what was deleted while nothing was heard of it, and asks about the others as they are', async () => {
    const started = async (): Promise<string> =>
      (await post('workflow-definitions/waits/execute', {})).json.workflowState.id;
    const [gone, cancelled, deletedLate] = [await started(), await started(), await started()];
    const page = await studio.openAlone('/instances?workflow=waits');
    await page.getByText('1–50 of 63').waitFor();
    for (const id of [gone, cancelled, deletedLate])
      await page.getByRole('row').filter({ hasText: id }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('51–63 of 63').waitFor();
    await page.getByRole('row').nth(3).getByRole('checkbox').check();
    await page.getByRole('toolbar', { name: '4 selected' }).waitFor();
    await lookAway(page, true);
    await studio.host.call('DELETE', `/elsa/api/workflow-instances/${gone}`);
    await studio.host.call('POST', `/elsa/api/cancel/workflow-instances/${cancelled}`, {});
    await lookAway(page, false);
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor();
    // One more, of which nothing is heard before the question.
    await page.route('**/events/stream*', (route) => route.abort());
    await lookAway(page, true);
    await lookAway(page, false);
    await studio.host.call('DELETE', `/elsa/api/workflow-instances/${deletedLate}`);
    await act(page, 'Cancel');
    await dialog(page).getByRole('heading', { name: 'Cancel instance' }).waitFor();
    await dialog(page).getByText('1 ended already, and stays as it is.').waitFor();
    await dialog(page).getByRole('button', { name: 'Back' }).click();
    await studio.host.call('DELETE', `/elsa/api/workflow-instances/${cancelled}`);
  });

  it('shows the last page to those whom an old link leads beyond it', async () => {
    const page = await studio.open('/instances?workflow=waits');
    await page.getByText('1–50 of 60').waitFor();
    await page.goto(`${studio.host.url}/studio/instances?workflow=waits&page=9`);
    await page.getByText('51–60 of 60').waitFor();
    await page.getByRole('row').nth(10).waitFor();
    expect(await page.getByRole('row').count()).toBe(11);
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
    await page.goBack();
    await page.getByText('1–50 of 60').waitFor();
  });

  it('alters all that match, and shows how far it is', async () => {
    const page = await studio.open('/instances?workflow=waits');
    await takeAll(page, 50, COUNT);
    await act(page, 'Alter …');
    await dialog(page).getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Change a variable' }).click();
    await dialog(page).getByRole('combobox', { name: 'Variable' }).click();
    await page.getByRole('option', { name: 'Desk' }).click();
    await dialog(page).getByLabel('Value, as JSON').fill('"open"');
    await dialog(page).getByRole('button', { name: 'Alter', exact: true }).click();
    await page.getByRole('status').getByText('60 altered.').waitFor();
    await studio.picture(page, 'bulk-altered');
  });

  it('cancels all instances that match, says before how many, and shows how far it is', async () => {
    const page = await studio.open('/instances?workflow=waits');
    await page.getByText('1–50 of 60').waitFor();
    await takeAll(page, 50, COUNT);
    // All but one: ticks are taken away as they were set.
    await page.getByRole('row').nth(1).getByRole('checkbox').uncheck();
    await page.getByRole('toolbar', { name: '59 selected' }).waitFor();
    await studio.picture(page, 'bulk-selected');
    expect(await studio.axe(page)).toEqual([]);
    await act(page, 'Cancel');
    await dialog(page).getByRole('heading', { name: 'Cancel 59 instances' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel them' }).click();
    await page.getByRole('status').getByText('59 cancelled.').waitFor();
    await studio.picture(page, 'bulk-plan');
    expect(await studio.axe(page)).toEqual([]);
    expect(
      (await post('workflow-instances', { definitionIds: ['waits'], statuses: ['Running'] })).json.totalCount,
    ).toBe(1);
  });

  it('lists the work in the background, with what became of it, and stops it', async () => {
    const page = await studio.open('/settings');
    const work = page.locator('section').filter({ hasText: 'Work in the background' });
    const finished = work.getByRole('row').filter({ hasText: 'Cancel instances' });
    await finished.getByText('Finished').waitFor();
    await finished.getByText('59 of 59').waitFor();
    await studio.picture(page, 'plans');
    expect(await studio.axe(page)).toEqual([]);
    // An instance that still runs.
    await page.route('**/bulk-actions/plans?**', async (route) => {
      const { items, ...rest } = await (await route.fetch()).json();
      await route.fulfill({ json: { ...rest, items: [{ ...items[0], id: 'now', status: 'Running' }, ...items] } });
    });
    const stopped = page.waitForRequest('**/bulk-actions/plans/now/cancel');
    await page.reload();
    await work.getByRole('button', { name: 'Stop: Cancel instances' }).click();
    expect((await stopped).method()).toBe('POST');
  });

  it('deletes those that match a filter and no others', async () => {
    const page = await studio.open('/instances?workflow=waits&status=Cancelled');
    await page.getByText('1–50 of 59').waitFor();
    await takeAll(page, 50, 59);
    await act(page, 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('59 deleted.').waitFor();
    await page.getByText('No instance matches.').waitFor();
    expect((await post('workflow-instances', { definitionIds: ['waits'] })).json.totalCount).toBe(1);
  });

  it('retries all that failed, some at a time', async () => {
    const page = await studio.open('/instances?workflow=fails');
    await page.getByText('1–50 of 60').waitFor();
    await takeAll(page, 50, COUNT);
    await act(page, 'Retry');
    await dialog(page).getByRole('heading', { name: 'Retry 60 instances' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('status').getByText('60 retried.').waitFor();
  });

  it('publishes, retracts and deletes all definitions that match', async () => {
    const line = { id: 'Line', type: 'Elsa.WriteLine', text: literal('x') };
    for (let number = 0; number < 30; number++)
      await post('workflow-definitions/import', { definitionId: `many-${number}`, name: `Many ${number}`, root: line });
    const page = await studio.open('/workflows?q=many-');
    await page.getByText('1–25 of 30').waitFor();
    await takeAll(page, 25, 30);
    await act(page, 'Publish');
    await dialog(page).getByText('New instances of 30 workflows').waitFor();
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('status').getByText('30 published.').waitFor();
    await takeAll(page, 25, 30);
    await act(page, 'Retract');
    await dialog(page).getByRole('button', { name: 'Retract' }).click();
    await page.getByRole('status').getByText('30 retracted.').waitFor();
    await takeAll(page, 25, 30);
    await act(page, 'Delete');
    await dialog(page).getByText('and 18 more').waitFor();
    await studio.picture(page, 'bulk-delete');
    expect(await studio.axe(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No workflow matches.').waitFor();
  });

  it('says that the server continues with the deletion of a version that many instances have', async () => {
    const page = await studio.open('/workflows/fails/versions');
    await page.getByRole('button', { name: 'Actions for Version 1' }).click();
    await page.getByRole('menuitem', { name: 'Delete version' }).click();
    await dialog(page).getByRole('button', { name: 'Delete version' }).click();
    await page.getByRole('status').getByText('the server deletes them in the background').waitFor();
    await page.getByRole('status').getByText('60 deleted.').waitFor();
    expect(await page.getByText('Version deleted.').count()).toBe(0);
  });
});
