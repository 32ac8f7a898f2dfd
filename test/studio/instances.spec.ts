import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { Studio } from './studio.js';

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const script = (typeName: string, value: string) => ({ typeName, expression: { type: 'JavaScript', value } });
const sequence = (...activities: object[]) => ({ id: 'Steps', type: 'Elsa.Sequence', activities });
const line = { id: 'Begin', type: 'Elsa.WriteLine', text: literal('String', 'begins') };
const approval = { id: 'Approval', type: 'Elsa.Event', eventName: literal('String', 'approved') };

/** Boxes from which something sticks out to the side, but for lines that end in an ellipsis, stack traces and the canvas. */
const STICKING_OUT = `[...document.querySelectorAll('body *')].filter((box) => {
  const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(box);
  const isCut = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || box.matches('pre, input, textarea');
  const isSeen = box.clientWidth > 2 && !box.closest('.react-flow');
  return isSeen && !isCut && overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1;
}).map((box) => box.className + ' is ' + box.clientWidth + ' wide, its content ' + box.scrollWidth)`;

describeInBrowser('instances in Studio', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    const amount = { id: 'v-amount', name: 'Amount', typeName: 'Int32', value: '7' };
    const variables = [{ ...amount, storageDriverTypeName: 'WorkflowInstanceStorageDriver' }];
    await deploy('waiting', 'Waiting', sequence(line, approval), { variables });
    await deploy(
      'failing',
      'Failing',
      sequence(line, { id: 'Divide', type: 'Elsa.RunJavaScript', script: script('String', "missing('x')") }),
    );
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const post = (route: string, body: object) => studio.host.call('POST', `/elsa/api/${route}`, body);
  const deploy = (definitionId: string, name: string, root: object, more: object = {}) =>
    post('workflow-definitions', { model: { definitionId, name, root, ...more }, publish: true });
  const start = async (definitionId: string, body: object = {}): Promise<string> =>
    (await post(`workflow-definitions/${definitionId}/execute`, body)).json.workflowState.id;
  const dialog = (page: Page) => page.getByRole('dialog');

  it('instances in Studio are found by what is known of them, and the address keeps the question', async () => {
    const id = await start('waiting', { correlationId: 'customer-4711', name: 'Order of Mia' });
    await start('waiting', { correlationId: 'customer-1' });
    await start('failing');
    const page = await studio.open('/instances');
    await page.getByRole('link', { name: 'Order of Mia' }).waitFor();
    await studio.picture(page, 'instances');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('searchbox', { name: /Id, name/ }).fill('4711');
    await page.getByText('1–1 of 1').waitFor();
    expect(page.url()).toContain('q=4711');
    await page.getByRole('searchbox', { name: /Id, name/ }).fill('customer-1');
    // Without a name, what a person on call knows it by.
    await page.getByRole('link', { name: 'customer-1', exact: true }).waitFor();
    await page.setViewportSize({ width: 768, height: 900 });
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();
    await page.goto(`${studio.host.url}/studio/instances?status=Faulted&status=Cancelled&workflow=failing`);
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('row').getByText('Faulted').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Order of Mia' }).click();
    await page.getByRole('heading', { level: 1, name: 'Order of Mia' }).waitFor();
    expect(page.url()).toContain(id);
  });

  it('instances in Studio show their position, journal and variables, and continue from a bookmark', async () => {
    const id = await start('waiting', { correlationId: 'resume-me' });
    const page = await studio.open(`/instances/${id}`);
    const journal = page.getByRole('region', { name: /Journal/ });
    await journal
      .getByRole('button', { name: /Approval/ })
      .last()
      .waitFor();
    await page
      .locator('.react-flow__node')
      .filter({ hasText: 'Approval' })
      .getByText('Waiting')
      .waitFor({ state: 'attached' });
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByText('Amount').waitFor();
    await page.getByRole('button', { name: 'Change Amount' }).click();
    await dialog(page).getByLabel('Value, as JSON').fill('{');
    await dialog(page).getByText('This is not valid JSON.').waitFor();
    await dialog(page).getByLabel('Value, as JSON').fill('12');
    await dialog(page).getByRole('button', { name: 'Change' }).click();
    await page.getByRole('tabpanel').getByText('12').waitFor();
    await page.getByRole('tab', { name: 'Waiting for' }).click();
    await studio.picture(page, 'instance-waiting');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume from here' }).click();
    await dialog(page).getByText('Approval continues as if the awaited event had occurred.').waitFor();
    await dialog(page).getByRole('button', { name: 'Resume from here' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.getByText('It does not wait for anything.').waitFor();
  });

  it('instances in Studio follow what happens elsewhere', async () => {
    const id = await start('waiting');
    const page = await studio.open(`/instances/${id}`);
    await page.getByText('Waiting', { exact: true }).first().waitFor();
    await post('events/approved/trigger', { workflowInstanceId: id });
    await page.getByText('Finished', { exact: true }).first().waitFor();
  });

  it('instances in Studio are replayed from their journal, step by step, on the picture', async () => {
    const id = await start('waiting');
    await post('events/approved/trigger', { workflowInstanceId: id });
    const page = await studio.open(`/instances/${id}`);
    const replay = page.getByRole('group', { name: 'Replay of the journal' });
    const mark = (activity: string, word: string) =>
      page.locator('.react-flow__node').filter({ hasText: activity }).getByText(word, { exact: true });
    await mark('Approval', 'Finished').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Replay' }).click();
    await replay.getByText(/^Step 1 of \d+ · \+/).waitFor();
    await mark('Begin', 'Finished').waitFor({ state: 'detached' });
    const slider = replay.getByRole('slider', { name: 'Step' });
    for (let step = 1; (await mark('Approval', 'Waiting').count()) === 0; step++) {
      await replay.getByRole('button', { name: 'One step on' }).click();
      await replay
        .getByText(new RegExp(`^Step ${step + 1} of`))
        .first()
        .waitFor();
    }
    await replay.getByText(/Approval waits$/).waitFor();
    await mark('Begin', 'Finished').waitFor({ state: 'attached' });
    expect(page.url()).toContain('step=');
    await studio.picture(page, 'instance-replay');
    expect(await studio.axe(page)).toEqual([]);
    await page.reload();
    await mark('Approval', 'Waiting').waitFor({ state: 'attached' });
    // By the keyboard, and by the journal itself.
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await replay.getByText(/Approval resumed$/).waitFor();
    await page
      .getByRole('region', { name: /Journal/ })
      .getByRole('button', { name: /Begin started/ })
      .click();
    await mark('Approval', 'Waiting').waitFor({ state: 'detached' });
    await replay.getByRole('button', { name: 'Play' }).click();
    await replay.getByText(/^Step (\d+) of \1 /).waitFor();
    await replay.getByRole('button', { name: 'Back to now' }).click();
    await replay.waitFor({ state: 'detached' });
    await mark('Approval', 'Finished').waitFor({ state: 'attached' });
  });

  it('instances in Studio of a workflow with a name without blanks leave everything else in its place', async () => {
    const name = '<b>Long</b>' + 'WithoutBlanks'.repeat(15);
    await deploy('long', name, sequence(line, { ...approval, name }), { description: name });
    const id = await start('long', { correlationId: name });
    const page = await studio.open('/instances', { viewport: { width: 1440, height: 900 } });
    for (const address of ['/instances', `/instances/${id}`, '/workflows/long', '/workflows/long/versions']) {
      await page.goto(`${studio.host.url}/studio${address}`);
      await page.getByText('WithoutBlanks').first().waitFor();
      await studio.picture(page, `long-${address.split('/').length}-${address.split('/')[1]}`);
      expect([address, await page.evaluate(STICKING_OUT)]).toEqual([address, []]);
    }
  });

  it('instances in Studio that failed say what failed, where, and how; and are retried when that has been explained', async () => {
    const id = await start('failing');
    const page = await studio.open(`/instances/${id}`);
    const incidents = page.getByRole('region', { name: 'An activity failed' });
    await incidents.getByText('missing').first().waitFor();
    await incidents.getByText('Stack').click();
    // By the keyboard, on the picture.
    await page.getByRole('group', { name: 'Begin, Write Line' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').getByRole('heading', { name: 'Begin' }).waitFor();
    await incidents.getByRole('button', { name: 'Divide', exact: true }).click();
    await page.getByRole('complementary').getByRole('heading', { name: 'Divide' }).waitFor();
    await page.getByRole('complementary').getByText('Failed', { exact: true }).waitFor();
    await studio.picture(page, 'instance-faulted');
    await page.setViewportSize({ width: 1024, height: 700 });
    await studio.picture(page, 'instance-1024');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1024);
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Retry', exact: true }).first().click();
    await dialog(page).getByText('The failed activities run again').waitFor();
    await dialog(page).getByRole('button', { name: 'Retry' }).click();
    await dialog(page).waitFor({ state: 'hidden' });
    await page.getByText('Faulted', { exact: true }).first().waitFor();
  });

  it('instances in Studio that failed for a wrong value continue when it has been corrected; a step that cannot be saved is skipped', async () => {
    const check = script('String', "if (getAmount() < 10) missing('x')");
    const run = { id: 'Check', type: 'Elsa.RunJavaScript', script: check };
    const amount = { id: 'v-amount', name: 'Amount', typeName: 'Int32', value: '7' };
    const variables = [{ ...amount, storageDriverTypeName: 'WorkflowInstanceStorageDriver' }];
    await deploy('picky', 'Picky', sequence(run), { variables });
    const page = await studio.open(`/instances/${await start('picky')}?tab=variables`);
    await page.getByRole('button', { name: 'Change Amount' }).click();
    await dialog(page).getByLabel('Value, as JSON').fill('12');
    await dialog(page).getByRole('button', { name: 'Change' }).click();
    await page.getByRole('tabpanel').getByText('12').waitFor();
    await page.getByRole('button', { name: 'Retry Check' }).click();
    await dialog(page).getByText('Check runs again').waitFor();
    await dialog(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();

    await page.goto(`${studio.host.url}/studio/instances/${await start('failing')}`);
    await page.getByRole('button', { name: 'Skip Divide' }).click();
    await dialog(page).getByText('Divide counts as completed').waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Skip' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
  });

  it('instances in Studio are cancelled and deleted, one or many, after a confirmation that names the effects', async () => {
    const ids = [
      await start('waiting', { correlationId: 'batch' }),
      await start('waiting', { correlationId: 'batch' }),
    ];
    const page = await studio.open('/instances?correlation=batch');
    await page.getByText('1–2 of 2').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).getByText('Waiting activities are cancelled').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel them' }).click();
    await page.getByRole('status').getByText('2 cancelled.').waitFor();
    await page.getByRole('row').filter({ hasText: ids[0]! }).getByRole('link', { name: 'batch' }).click();
    await page.getByRole('heading', { level: 1, name: 'batch' }).waitFor();
    await page.getByRole('button', { name: `Actions for ${ids[0]}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    // One that the server refuses leads nowhere, and says why.
    const failures = [{ id: ids[0], code: 'WM1054', message: 'Its state cannot be read.' }];
    const json = { deleted: 0, failures };
    await page.route('**/bulk-actions/delete/workflow-instances', (route) => route.fulfill({ json }), { times: 1 });
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByText('Its state cannot be read.').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Instances' }).waitFor();
    expect((await studio.host.call('GET', `/elsa/api/workflow-instances/${ids[0]}`)).status).toBe(404);
    await page.goto(`${studio.host.url}/studio/instances/${ids[0]}`);
    await page.getByText('This does not exist, or no longer exists.').waitFor();
  });

  it('instances in Studio name their parents and children', async () => {
    await deploy('parent', 'Parent', {
      id: 'Call',
      type: 'Elsa.DispatchWorkflow',
      workflowDefinitionId: literal('String', 'waiting'),
      waitForCompletion: literal('Boolean', true),
    });
    const id = await start('parent');
    const page = await studio.open(`/instances/${id}?tab=family`);
    await page.getByRole('tabpanel').getByRole('link', { name: 'waiting' }).click();
    await page.getByRole('tab', { name: 'Family' }).click();
    await page.getByRole('tabpanel').getByRole('link', { name: 'parent' }).waitFor();
  });

  it('an instance with a long journal shows the visible part', async () => {
    const body = { id: 'Round', type: 'Elsa.Sequence', activities: [] };
    const range = { start: literal('Int32', 1), end: literal('Int32', 1500), step: literal('Int32', 1) };
    await deploy('long', 'Long', { id: 'Loop', type: 'Elsa.For', ...range, body });
    const id = await start('long');
    const page = await studio.open(`/instances/${id}`);
    const journal = page.getByRole('region', { name: /Journal/ });
    await journal.getByText(/[\d,]{5} entries/).waitFor();
    const list = journal.getByRole('group');
    await list.focus();
    await page.keyboard.press('End');
    await journal.getByRole('button', { name: /Workflow.*completed/ }).waitFor();
    expect(await journal.getByRole('listitem').count()).toBeLessThan(100);
    await studio.picture(page, 'journal-end');
    // Each part of the journal is asked for once, a few at a time.
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('pageSize=500') && asked.push(request.url()));
    await page.getByRole('button', { name: 'Replay' }).click();
    const replay = page.getByRole('group', { name: 'Replay of the journal' });
    await replay.getByRole('button', { name: 'To the end' }).click();
    await replay.getByText(/Workflow completed$/).waitFor();
    await replay.getByRole('button', { name: 'One step back' }).click();
    await replay.getByText(/Loop completed$/).waitFor();
    expect([asked.length > 5, new Set(asked).size === asked.length]).toEqual([true, true]);
  });
});
