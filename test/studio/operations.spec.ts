import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { leaveDeadLetters } from './dead-letters.js';
import { leaveLostNode } from './lost-nodes.js';
import { Studio } from './studio.js';

const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const script = (value: string, typeName = 'Object') => ({ typeName, expression: { type: 'JavaScript', value } });
const FORM = {
  type: 'object',
  required: ['costCentre'],
  additionalProperties: false,
  properties: {
    costCentre: { type: 'integer', minimum: 1000, description: 'From 1000 on.' },
    kind: { type: 'string', enum: ['travel', 'goods'], default: 'travel' },
    isPaid: { type: 'boolean' },
    price: { type: 'number' },
    account: { type: 'integer' },
    address: { type: 'object', properties: { city: { type: 'string' } } },
    details: { type: 'object' },
  },
};
const TASK = {
  id: 'Check',
  type: 'Waymark.UserTask',
  taskName: literal('check-expense'),
  title: literal('Mia spent 12 on a book'),
  instructions: literal('Compare it with the receipt.'),
  candidateGroups: literal(['accounting'], 'List<String>'),
  possibleOutcomes: literal(['Approve', 'Reject'], 'List<String>'),
  data: literal({ employee: 'mia', amount: 12 }, 'ObjectDictionary'),
  form: literal(FORM, 'ObjectDictionary'),
  dueIn: literal('2.00:00:00', 'TimeSpan'),
};
const DOUBLE = {
  id: 'Double',
  type: 'Elsa.SetOutput',
  outputName: literal('twice'),
  outputValue: script('getInput("amount") * 2'),
};
const ECHO = {
  id: 'Steps',
  type: 'Elsa.Sequence',
  activities: [
    {
      id: 'Asked',
      type: 'Elsa.HttpEndpoint',
      path: literal('echo/{name}'),
      supportedMethods: literal(['POST'], 'List<String>'),
      customProperties: { canStartWorkflow: true },
    },
    { id: 'Answer', type: 'Elsa.WriteHttpResponse', content: literal('hello from the workflow') },
  ],
};
const PLACES = ['/', '/settings', '/tasks?scope=All', '/dead-letters', '/dead-letters?source=bookmark-queue', '/audit'];

describeInBrowser('operations in Studio', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    await deploy('expenses', 'Expenses', TASK);
    const inputs = [{ name: 'amount', type: 'Int32', displayName: 'Amount' }];
    await deploy('double', 'Double it', DOUBLE, { inputs, outputs: [{ name: 'twice', type: 'Int32' }] });
    await deploy('echo', 'Echo', ECHO);
    const fails = { id: 'Fails', type: 'Elsa.RunJavaScript', script: script("missing('x')", 'String') };
    await deploy('failing', 'Failing', fails);
    await leaveDeadLetters(studio.host.databaseFile, ['m1', 'm2', 'm3', 'm4'], 's1');
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const post = (route: string, body: object) => studio.host.call('POST', `/elsa/api/${route}`, body);
  const deploy = async (definitionId: string, name: string, root: object, more: object = {}) => {
    const { status, text } = await post('workflow-definitions', {
      model: { definitionId, name, root, ...more },
      publish: true,
    });
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  };
  const start = async (definitionId: string, body: object = {}): Promise<string> =>
    (await post(`workflow-definitions/${definitionId}/execute`, body)).json.workflowState.id;
  const dialog = (page: Page) => page.getByRole('dialog');

  it('operations in Studio show at a glance what fails and waits, with links', async () => {
    await start('expenses', { name: 'Expenses of Mia' });
    await start('failing', { name: 'Broken order' });
    const page = await studio.open('/');
    const failures = page.getByRole('region', { name: 'Newest failures' });
    await failures.getByRole('link', { name: 'Broken order' }).waitFor();
    await page
      .getByRole('region', { name: 'Waiting longest' })
      .getByRole('link', { name: 'Expenses of Mia' })
      .waitFor();
    await page.getByRole('list', { name: 'Now' }).getByRole('link', { name: 'Dead letters 5' }).waitFor();
    await studio.picture(page, 'home');
    await page
      .getByRole('list', { name: 'Now' })
      .getByRole('link', { name: /Faulted/ })
      .click();
    await page.getByRole('link', { name: 'Broken order' }).waitFor();
    expect(page.url()).toContain('status=Faulted');
  });

  it('operations in Studio start a workflow with its inputs, and show what came of it', async () => {
    const page = await studio.open('/');
    await page.getByRole('button', { name: 'Run a workflow' }).click();
    await dialog(page).getByRole('combobox', { name: 'Workflow' }).fill('Double');
    await page.getByRole('option', { name: 'Double it' }).click();
    await dialog(page).getByLabel('Amount').fill('21');
    await dialog(page).getByRole('button', { name: 'Start' }).click();
    await dialog(page).getByText('"twice": 42').waitFor();
    await dialog(page).getByText('Finished').waitFor();
    await studio.picture(page, 'run-inputs');
    expect(await studio.axe(page)).toEqual([]);
    await dialog(page).getByRole('link', { name: 'Open the instance' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toContain('/instances/');
  });

  it('operations in Studio run an instance again with its input, of which they say what is not known', async () => {
    const inputs = [
      { name: 'amount', type: 'Int32', displayName: 'Amount', storageDriverType: 'WorkflowInstanceStorageDriver' },
      { name: 'note', type: 'String', displayName: 'Note' },
    ];
    await deploy('double-kept', 'Double it again', DOUBLE, { inputs, outputs: [{ name: 'twice', type: 'Int32' }] });
    const id = await start('double-kept', { input: { amount: 21, note: 'first' }, correlationId: 'order-21' });
    const page = await studio.open(`/instances/${id}`);
    await page.getByRole('button', { name: `Actions for ${id}` }).click();
    await page.getByRole('menuitem', { name: 'Run again …' }).click();
    await dialog(page)
      .getByText('Not known any more or not to be shown here, and to be filled in where needed: Note.')
      .waitFor();
    expect(await dialog(page).getByLabel('Amount').inputValue()).toBe('21');
    expect(await dialog(page).getByLabel('Correlation id').inputValue()).toBe('order-21');
    expect(await studio.axeInBothColours(page, 'run-again')).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Start' }).click();
    await dialog(page).getByText('"twice": 42').waitFor();
    const { json } = await post('workflow-instances', { correlationId: 'order-21' });
    expect(json.totalCount).toBe(2);
  });

  it('operations in Studio send a request to an endpoint, and show its line for a terminal and its answer', async () => {
    const page = await studio.open('/');
    await page.getByRole('button', { name: 'Run a workflow' }).click();
    await dialog(page).getByRole('combobox', { name: 'Workflow' }).fill('Echo');
    await page.getByRole('option', { name: 'Echo' }).click();
    await dialog(page).getByLabel('name', { exact: true }).fill('a b');
    await dialog(page).getByLabel('Body', { exact: true }).fill('{"a":1}');
    const line = dialog(page).getByRole('region', { name: 'For a terminal' });
    await line.getByText(`curl -i -X POST '${studio.host.url}/workflows/echo/a%20b'`).waitFor();
    await dialog(page).getByRole('button', { name: 'Send' }).click();
    await dialog(page).getByRole('region', { name: 'Answer' }).getByText('hello from the workflow').waitFor();
    await studio.picture(page, 'run-http');
    expect(await studio.axe(page)).toEqual([]);
  });

  it('operations in Studio give a task to a person, who fills it in; the workflow continues', async () => {
    const id = await start('expenses', { correlationId: 'receipt-7' });
    const page = await studio.open('/tasks?scope=All&order=Newest');
    await page.getByRole('link', { name: /receipt-7/ }).click();
    const task = page.getByRole('region', { name: 'About this task' });
    await task.getByRole('button', { name: 'Claim' }).click();
    await task.getByText('Claimed by anonymous', { exact: true }).waitFor();
    await task.getByLabel('Your comment').fill('Receipt is in the folder.');
    await task.getByRole('button', { name: 'Comment' }).click();
    await task.getByRole('listitem').getByText('Receipt is in the folder.').waitFor();
    // Nothing is sent while something is no JSON; and the server says what is missing at its field.
    await task.getByLabel('Details (JSON)').fill('{');
    await task.getByText('This is not valid JSON.').waitFor();
    expect(await task.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    await task.getByLabel('Details (JSON)').fill('{"vat":19}');
    await task.getByLabel('Cost centre').fill('5');
    await task.getByRole('button', { name: 'Approve' }).click();
    await task.getByText('5 is less than 1000').waitFor();
    // What is filled in waits while the person looks at something else.
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.goBack();
    expect(await task.getByLabel('Cost centre').inputValue()).toBe('5');
    // And while the page is loaded anew, as Studio does by itself after a deployment.
    await page.reload();
    expect(await task.getByLabel('Cost centre').inputValue()).toBe('5');
    await studio.picture(page, 'task');
    expect(await studio.axe(page)).toEqual([]);
    await task.getByLabel('Cost centre').fill('4711');
    // Key by key, as hands do it: on its way a number is "12.", which ends nothing.
    await task.getByLabel('Price').pressSequentially('12.05');
    await task.getByLabel('Account').pressSequentially('9007199254740993');
    await task.getByText('This number cannot be kept exactly.').waitFor();
    expect(await task.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    await task.getByLabel('Account').fill('');
    await task.getByLabel('Account').pressSequentially('12345678901234');
    await task.getByLabel('City').fill('Graz');
    await task.getByRole('button', { name: 'Approve' }).click();
    await task.getByRole('heading', { name: 'Approve by anonymous' }).waitFor();
    await task.getByText('Completed with Approve by anonymous').waitFor();
    const { json } = await studio.host.call('GET', `/elsa/api/workflow-instances/${id}`);
    expect(json.subStatus).toBe('Finished');
    const { values } = (await studio.host.call('GET', `/elsa/api/user-tasks?scope=Completed&correlationId=receipt-7`))
      .json.items[0];
    expect(values).toEqual({
      costCentre: 4711,
      kind: 'travel',
      price: 12.05,
      account: 12_345_678_901_234,
      address: { city: 'Graz' },
      details: { vat: 19 },
    });
  });

  it('operations in Studio show failed work, which is retried or deleted after a confirmation that explains the effect', async () => {
    const page = await studio.open('/dead-letters');
    await page.getByRole('button', { name: /Start a workflow ?m1/ }).click();
    await dialog(page).getByText('"definition": "lost"').waitFor();
    await studio.picture(page, 'dead-letter');
    expect(await studio.axe(page)).toEqual([]);
    await deploy('lost', 'Lost', { id: 'Line', type: 'Elsa.WriteLine', text: literal('here again') });
    await dialog(page).getByRole('button', { name: 'Replay' }).click();
    await dialog(page).getByText('It is tried again, with all its attempts').waitFor();
    await dialog(page).getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('status').getByText('Replayed.').waitFor();
    await page.getByText('1–3 of 3').waitFor();
    await page.goto(`${studio.host.url}/studio/instances/i-m1`);
    await page.getByText('Finished', { exact: true }).first().waitFor();

    await page.goto(`${studio.host.url}/studio/dead-letters?kind=start`);
    await page.getByRole('checkbox', { name: 'Select m2' }).check();
    await page.getByRole('checkbox', { name: 'Select m3' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByText('Its work will not be done').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('2 deleted.').waitFor();
    await page.getByText('1–1 of 1').waitFor();
    // "All" is what the list shows: while the answer to another question is awaited, it is not known what that would be.
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/outbox/dead-letters', (route) => answered.then(() => route.continue()));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => !url.search.includes('kind'));
    expect(await page.getByRole('button', { name: 'Delete all 1' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Replay all 1' }).isDisabled()).toBe(true);
    answer();
    await page.getByRole('button', { name: 'Replay all 1' }).click();
    await page.unroute('**/outbox/dead-letters');
    await dialog(page).getByRole('button', { name: 'Replay' }).click();
    await page.getByText('No dead letters').waitFor();

    await page.getByText('Stimuli', { exact: false }).first().click();
    await page.getByRole('button', { name: /Elsa.Event ?s1/ }).click();
    await dialog(page).getByText('Nothing waited for it in time').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByText('Its data is lost').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No dead letters').waitFor();
  });

  it('operations in Studio name a node that is lost, say what to do about it, and show the licences of what Studio bundles', async () => {
    await leaveLostNode(studio.host.databaseFile, 'worker-2', '0.0.9');
    const page = await studio.open('/settings');
    await page.getByRole('row').filter({ hasText: 'worker-2' }).getByText('Lost', { exact: true }).waitFor();
    await page.getByText('Look whether the process still runs').waitFor();
    await studio.picture(page, 'settings-lost');
    expect(await studio.axe(page)).toEqual([]);
    const shown = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Third-party software in Studio' }).click();
    const licences = await shown;
    await licences.getByText('each under its own licence').waitFor();
  });

  it('operations in Studio pause this server and let it continue, and say so on the front page', async () => {
    const page = await studio.open('/settings');
    await page.getByRole('button', { name: 'Pause' }).click();
    await dialog(page).getByText('It stops starting and resuming workflows').waitFor();
    await dialog(page).getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('row').getByText('Paused', { exact: true }).waitFor();
    await studio.picture(page, 'settings-paused');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('This server is paused').waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the settings' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog(page).getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('row').getByText('Takes work', { exact: true }).waitFor();
  });

  it.each(['light', 'dark'] as const)('break no rule of WCAG, and fit a phone, in %s colours', async (colorScheme) => {
    const page = await studio.open('/', { colorScheme, viewport: { width: 375, height: 700 } });
    for (const place of PLACES) {
      await page.goto(`${studio.host.url}/studio${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await studio.settled(page);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect([place, width, await studio.axe(page)]).toEqual([place, 375, []]);
    }
    await studio.picture(page, `phone-dead-letters-${colorScheme}`);
  });
});
