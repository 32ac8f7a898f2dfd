import { describeInBrowser } from './browser.js';
import { at, designerOf, flowchart, line, link, literal, savingLater, script } from './designer.js';
import { Studio } from './studio.js';

interface MachineJson {
  readonly states: readonly { name: string; entry?: { type: string } | null }[];
  readonly transitions: readonly {
    from: string;
    to: string;
    trigger?: { type: string; eventName?: { expression: { value: string } } } | null;
    condition?: { expression: object } | null;
  }[];
  readonly initialState?: string | null;
  readonly metadata?: object;
}

describeInBrowser('trying out in the designer of Studio', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { store, stored, canvas, node, properties, saved, open } = designerOf(() => studio);

  const event = (id: string, eventName: string, x: number) => ({
    id,
    name: id,
    type: 'Elsa.Event',
    eventName: literal('String', eventName),
    ...at(x),
  });

  it('runs a draft without publishing it, lights up its path, and lets the user send what it waits for', async () => {
    const total = { id: 'total', name: 'Total', typeName: 'Double' };
    const decision = { id: 'IsLarge', name: 'IsLarge', type: 'Elsa.FlowDecision', version: 1 };
    const task = { id: 'Pack', name: 'Pack', type: 'Elsa.RunTask', version: 1, taskName: literal('String', 'pack') };
    await store(
      'try-order',
      flowchart(
        [
          { ...decision, condition: script('Boolean', 'getAmount() > 100'), ...at(0) },
          event('Paid', 'paid', 300),
          { ...task, ...at(600, 40) },
          line('Small', 300, 'small'),
        ],
        [link('IsLarge', 'Paid', 'True'), link('IsLarge', 'Small', 'False'), link('Paid', 'Pack')],
      ),
      { inputs: [{ name: 'Amount', type: 'Double' }], variables: [total] },
    );
    const page = await open('try-order');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dock = page.getByRole('region', { name: 'Run the draft' });
    await dock.getByLabel('Amount').fill('500');
    await dock.getByRole('button', { name: 'Start' }).click();
    await dock.getByText('Waiting', { exact: true }).waitFor();
    const has = (name: string, words: string) => node(page, name).getByText(words, { exact: true }).waitFor();
    await has('IsLarge', 'has run');
    await has('Paid', 'waits');
    expect(await canvas(page).locator('.react-flow__edge.taken').count()).toBe(1);
    await studio.picture(page, 'try-waits');
    expect(await studio.axe(page)).toEqual([]);
    // The server takes objects only.
    const payload = dock.getByLabel('Payload, a JSON object (optional)');
    await payload.fill('42');
    await dock.getByText('This is not a JSON object').waitFor();
    expect(await dock.getByRole('button', { name: 'Send event paid' }).isDisabled()).toBe(true);
    await payload.fill('{"by": "card"}');
    await dock.getByRole('button', { name: 'Send event paid' }).click();
    await has('Pack', 'waits');
    await dock.getByLabel('Result as JSON (optional)').fill('"packed"');
    await dock.getByRole('button', { name: 'Complete the task' }).click();
    await dock.getByText('Finished').waitFor();
    await has('Pack', 'has run');
    await node(page, 'Paid').click();
    await properties(page).getByRole('tab', { name: 'Try out' }).click();
    await properties(page).getByText('"card"').waitFor();
    await studio.picture(page, 'try-finished');
    expect(await studio.axe(page)).toEqual([]);
    // Step by step, and nothing of it is published.
    await dock.getByRole('slider', { name: 'Step of the run' }).fill('1');
    await node(page, 'Pack').getByText('has run').waitFor({ state: 'detached' });
    expect(await stored('try-order')).toMatchObject({ isPublished: false });
    // Changed while the run is shown: the next one runs what is drawn now.
    await dock.getByLabel('Amount').fill('5');
    await dock.getByRole('button', { name: 'Start again' }).click();
    await has('Small', 'has run');
    expect(await node(page, 'Paid').locator('[data-ran]').count()).toBe(0);
  });

  it('asks a person, whose task is filled in and completed below the canvas, by mouse and by keys', async () => {
    const task = {
      id: 'Check',
      name: 'Check',
      type: 'Waymark.UserTask',
      version: 1,
      taskName: literal('String', 'check-expense'),
      title: literal('String', 'Mia spent 12 on a book'),
      instructions: literal('String', 'Compare it with the receipt.'),
      candidateGroups: literal('List<String>', ['accounting']),
      possibleOutcomes: literal('List<String>', ['Approve', 'Reject']),
      form: literal('ObjectDictionary', {
        type: 'object',
        required: ['costCentre'],
        properties: { costCentre: { type: 'integer', minimum: 1000 } },
      }),
      ...at(0),
    };
    await store(
      'try-task',
      flowchart(
        [task, line('Pay', 300), line('Refuse', 600)],
        [link('Check', 'Pay', 'Approve'), link('Check', 'Refuse', 'Reject')],
      ),
    );
    const page = await open('try-task');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dock = page.getByRole('region', { name: 'Run the draft' });
    const has = (name: string, words: string) => node(page, name).getByText(words, { exact: true }).waitFor();
    await dock.getByRole('button', { name: 'Start' }).click();
    await has('Check', 'waits');
    await dock.getByText('Compare it with the receipt.').waitFor();
    // What is filled in wrongly is said at the field, and the task stays.
    await dock.getByLabel('Cost centre').fill('12');
    await dock.getByRole('button', { name: 'Approve' }).click();
    await dock.getByText(/1000/).waitFor();
    await studio.picture(page, 'try-task');
    expect(await studio.axe(page)).toEqual([]);
    await dock.getByLabel('Cost centre').fill('1200');
    await dock.getByRole('button', { name: 'Approve' }).click();
    await dock.getByText('Finished').waitFor();
    await has('Pay', 'has run');
    // And again with the keyboard alone, the other way.
    await dock.getByRole('button', { name: 'Start again' }).focus();
    await page.keyboard.press('Enter');
    await has('Check', 'waits');
    await dock.getByLabel('Cost centre').focus();
    await page.keyboard.type('1300');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await has('Refuse', 'has run');
    expect(await node(page, 'Pay').locator('[data-ran]').count()).toBe(0);
  });

  it('publishes and calls an endpoint, and calls that of a draft that waits for it', async () => {
    const endpoint = {
      id: 'Ask',
      name: 'Ask',
      type: 'Elsa.HttpEndpoint',
      version: 1,
      path: literal('String', 'try-hello'),
      supportedMethods: { typeName: 'List<String>', expression: { type: 'Object', value: '["GET"]' } },
      customProperties: { canStartWorkflow: true },
      ...at(0),
    };
    const answer = {
      id: 'Answer',
      name: 'Answer',
      type: 'Elsa.WriteHttpResponse',
      version: 1,
      content: literal('Object', 'Hello from the draft'),
      ...at(300),
    };
    await store('try-hello', flowchart([endpoint, answer], [link('Ask', 'Answer')]));
    const page = await open('try-hello');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dock = page.getByRole('region', { name: 'Run the draft' });
    await dock.getByRole('button', { name: 'Start' }).click();
    await dock.getByRole('button', { name: 'Send', exact: true }).click();
    await dock.getByText('Hello from the draft').waitFor();
    await dock.getByText('Finished').waitFor();
    await studio.picture(page, 'try-http-draft');
    await dock.getByRole('button', { name: 'Publish and call over HTTP' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await dialog.getByRole('region', { name: 'For a terminal' }).getByText('try-hello').waitFor();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('Hello from the draft').waitFor();
    expect(await studio.axe(page)).toEqual([]);
    expect(await stored('try-hello')).toMatchObject({ isPublished: true });
  });

  it('tries one activity alone, with values for the variables', async () => {
    const total = { id: 'total', name: 'Total', typeName: 'Double' };
    const decision = { id: 'IsLarge', name: 'IsLarge', type: 'Elsa.FlowDecision', version: 1 };
    const root = flowchart([{ ...decision, condition: script('Boolean', 'getTotal() > 100'), ...at(0) }]);
    await store('try-one', root, { variables: [total] });
    const page = await open('try-one');
    await node(page, 'IsLarge').click();
    await properties(page).getByRole('tab', { name: 'Try out' }).click();
    await properties(page).getByLabel('Total', { exact: true }).fill('250');
    await properties(page).getByRole('button', { name: 'Run this activity' }).click();
    await properties(page).getByText('Status: Completed').waitFor();
    await properties(page).getByText('"True"').waitFor();
    await studio.picture(page, 'try-one');
    expect(await studio.axe(page)).toEqual([]);
    const { customProperties } = (await stored('try-one')) as { customProperties?: object };
    expect(customProperties).toMatchObject({ VariableTestValues: { total: '250' } });
  });

  it('completes scripts by what the workflow has, and says what is wrong in them while they are written', async () => {
    const decision = { id: 'IsLarge', name: 'IsLarge', type: 'Elsa.FlowDecision', version: 1 };
    const root = flowchart([{ ...decision, condition: script('Boolean', 'getTotals() > 100'), ...at(0) }]);
    await store('scripted', root, { variables: [{ id: 'total', name: 'Total', typeName: 'Double' }] });
    const page = await open('scripted');
    await node(page, 'IsLarge').click();
    const code = properties(page).locator('.cm-content');
    await code.locator('.cm-lintRange-warning').filter({ hasText: 'getTotals' }).hover();
    await page.getByText("Cannot find name 'getTotals'").waitFor();
    await studio.picture(page, 'script-problem');
    await code.fill('');
    await code.pressSequentially('variables.');
    await page.getByRole('option', { name: 'Total' }).waitFor();
    await studio.picture(page, 'script-completion');
    // Not by Enter: the editor takes it for a new line when the list has opened, or was filled again, in the moment before.
    await page.getByRole('option', { name: 'Total' }).click();
    await page.keyboard.type(' > 100');
    await saved(page);
    expect((await stored('scripted')).root.activities![0]).toMatchObject({
      condition: { expression: { type: 'JavaScript', value: 'variables.Total > 100' } },
    });
    expect(await code.locator('.cm-lintRange').count()).toBe(0);
    expect(await studio.axe(page)).toEqual([]);
  });

  it('puts something on a connection by keys, and keeps cases, retries, progress and merging where Elsa keeps them', async () => {
    const ways = { id: 'Ways', name: 'Ways', type: 'Elsa.FlowSwitch', version: 1, cases: [], ...at(0) };
    await store('kept', flowchart([ways, line('End', 400)], [link('Ways', 'End', 'Default')]), {
      variables: [{ id: 'v1', name: 'Total', typeName: 'String' }],
      inputs: [{ name: 'Customer', type: 'String' }],
    });
    const page = await open('kept');
    const keys = page.keyboard;
    const choose = async (name: string, option: string) => {
      await properties(page).getByRole('combobox', { name, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const textOf = async (id: string) => (await stored('kept')).root.activities!.find((one) => one.id === id) as object;
    await canvas(page).focus();
    await keys.press('ArrowRight');
    await keys.press('e');
    await properties(page).getByText('From Ways (Default) to End').waitFor();
    await keys.press('Insert');
    await page.getByRole('combobox', { name: 'Add an activity between Ways and End' }).fill('write line');
    await keys.press('Enter');
    await node(page, 'WriteLine1').waitFor();
    await node(page, 'End').click();
    await choose('Language of Text', 'Variable');
    await choose('Text', 'Total');
    await saved(page);
    await studio.picture(page, 'designer-variable');
    expect(await textOf('End')).toMatchObject({
      text: { typeName: 'String', expression: { type: 'Variable', value: { id: 'v1', name: 'Total' } } },
    });
    await choose('Language of Text', 'Input');
    await choose('Text', 'Customer');
    await saved(page);
    expect(await textOf('End')).toMatchObject({
      text: { typeName: 'String', expression: { type: 'Input', value: { name: 'Customer' } } },
    });
    await node(page, 'Ways').click();
    await properties(page).getByRole('button', { name: 'Add a case' }).click();
    await properties(page).getByRole('textbox', { name: 'Label' }).fill('Large');
    await properties(page).getByRole('textbox', { name: 'Condition Large' }).fill('getInput("Total") > 100');
    await canvas(page).getByTitle('Add after Large of Ways').waitFor();
    await properties(page).getByRole('tab', { name: 'Common' }).click();
    await choose('When several connections lead here', 'Run at the first, cancel the others');
    await choose('Store progress', 'Commit After');
    await properties(page).getByLabel('Runs in all').fill('3');
    await properties(page).getByLabel('First wait').fill('00:00:05');
    // Another number is typed over it: on its way the field is empty.
    await properties(page).getByLabel('Runs in all').press('Control+a');
    await properties(page).getByLabel('Runs in all').press('Backspace');
    await properties(page).getByLabel('Runs in all').pressSequentially('12');
    await saved(page);
    await studio.picture(page, 'designer-common');
    expect(await studio.axe(page)).toEqual([]);
    const { root } = await stored('kept');
    expect(root.activities!.find(({ id }) => id === 'Ways')).toMatchObject({
      cases: [{ label: 'Large', condition: { type: 'JavaScript', value: 'getInput("Total") > 100' } }],
      customProperties: {
        mergeMode: 'Race',
        commitStrategyName: 'Executed',
        retryPolicy: { maxAttempts: 12, delay: '00:00:05' },
      },
    });
    expect(root.connections!.map(({ source, target }) => `${source.port} ${target.activity}`)).toEqual([
      expect.stringMatching(/^Default \w+$/),
      'Done End',
    ]);
  });

  it('draws a state machine as states with transitions, by mouse and by keys, and it goes from state to state', async () => {
    const machine = { id: 'Order', name: 'Order', type: 'Elsa.StateMachine', version: 1, states: [], transitions: [] };
    await store('machine', machine);
    const page = await open('machine');
    const keys = page.keyboard;
    await page.getByRole('button', { name: 'Add the first state' }).click();
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Open');
    await keys.press('Enter');
    await node(page, 'Open').waitFor();
    await keys.press('Escape');
    // A state behind the selected one: the transition to it comes along.
    await keys.press('Insert');
    await node(page, 'State1').waitFor();
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Closed');
    await keys.press('Enter');
    await node(page, 'Closed').getByText('Final state').waitFor();
    await page.getByRole('button', { name: 'Transition Transition1' }).click();
    await properties(page).getByRole('button', { name: 'Choose a trigger' }).click();
    await page.getByRole('combobox', { name: 'What the transition waits for' }).fill('event');
    await keys.press('Enter');
    await properties(page).getByLabel('Event Name', { exact: true }).fill('close');
    const path = page.getByRole('navigation', { name: 'Level of the canvas' });
    await path.getByText('Transition1: Trigger').waitFor();
    await path.getByRole('button', { name: 'Workflow' }).click();
    await node(page, 'Closed').getByRole('button', { name: 'Open Entry of Closed' }).click();
    await canvas(page).focus();
    await keys.press('n');
    await page.getByRole('combobox', { name: /^Add an activity/ }).fill('write line');
    await keys.press('Enter');
    await properties(page).getByLabel('Text', { exact: true }).fill('closed');
    await path.getByRole('button', { name: 'Workflow' }).click();
    // Back again, and to itself.
    await canvas(page).focus();
    await node(page, 'Open').click();
    await keys.press('c');
    await page.getByRole('combobox', { name: /^Connect/ }).fill('Closed');
    await keys.press('Enter');
    await saved(page);
    await studio.picture(page, 'machine');
    expect(await studio.axe(page)).toEqual([]);
    const drawn = (await stored('machine')).root as unknown as MachineJson;
    expect(drawn.states.map(({ name, entry }) => [name, entry?.type])).toEqual([
      ['Open', undefined],
      ['Closed', 'Elsa.Flowchart'],
    ]);
    expect(drawn.transitions).toMatchObject([
      { from: 'Open', to: 'Closed', trigger: { type: 'Elsa.Event' } },
      { from: 'Open', to: 'Closed', trigger: null },
    ]);
    // A second way without a trigger would be taken at once.
    await page.getByRole('button', { name: 'Transition Transition2' }).click();
    await canvas(page).focus();
    await keys.press('Delete');
    await page.getByRole('button', { name: 'Transition Transition2' }).waitFor({ state: 'detached' });
    // Renamed, and everything that names it follows.
    await node(page, 'Open').click();
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Waiting');
    await keys.press('Enter');
    await node(page, 'Waiting').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dock = page.getByRole('region', { name: 'Run the draft' });
    await dock.getByRole('button', { name: 'Start' }).click();
    await node(page, 'Waiting').getByText('waits', { exact: true }).waitFor();
    await dock.getByRole('button', { name: 'Send event close' }).click();
    await dock.getByText('Finished').waitFor();
    await node(page, 'Closed').getByText('has run', { exact: true }).waitFor();
    expect(await canvas(page).locator('.react-flow__edge.taken').count()).toBe(1);
    await studio.picture(page, 'machine-run');
    expect((await stored('machine')).root).toMatchObject({
      transitions: [{ from: 'Waiting', to: 'Closed' }],
    });
  });

  it('continues when the server is killed in the middle of editing, and has everything when it is back', async () => {
    await store('killed', flowchart([line('A', 60)]));
    const page = await open('killed');
    const add = async (name: string) => {
      await canvas(page).focus();
      await page.keyboard.press('Insert');
      await page.getByRole('combobox', { name: /^Add an activity/ }).fill('write line');
      await page.keyboard.press('Enter');
      await properties(page).getByRole('heading', { level: 2, name }).waitFor();
    };
    await node(page, 'A').click();
    await add('WriteLine1');
    await saved(page);
    await studio.host.kill();
    await add('WriteLine2');
    await page.getByRole('status').getByText('Offline, kept here').waitFor();
    await add('WriteLine3');
    await studio.picture(page, 'killed');
    await studio.host.start();
    await saved(page);
    const { root } = await stored('killed');
    expect(root.activities!.map(({ name }) => name)).toEqual(['A', 'WriteLine1', 'WriteLine2', 'WriteLine3']);
    expect(root.connections).toHaveLength(3);
  });

  it('shows two people who edit one draft both versions, and keeps the chosen one', async () => {
    await store('two', flowchart([line('A', 60), line('B', 400)], [link('A', 'B')]));
    const [one, two] = [await open('two'), await open('two')];
    await savingLater(two, async () => {
      await node(two, 'A').click();
      await properties(two).getByLabel('Text', { exact: true }).fill('mine');
      await node(one, 'B').click();
      await canvas(one).focus();
      await one.keyboard.press('Delete');
      await saved(one);
    });
    await two.getByRole('button', { name: 'Compare and choose' }).click();
    const dialog = two.getByRole('dialog');
    await dialog.getByRole('heading', { name: /^B/ }).waitFor();
    await dialog.getByText('mine', { exact: true }).waitFor();
    await studio.picture(two, 'two-drafts');
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await node(two, 'B').waitFor({ state: 'detached' });
    // What was not taken is one step back.
    await canvas(two).focus();
    await two.keyboard.press('Control+z');
    await node(two, 'B').waitFor();
    await two.keyboard.press('Control+s');
    await saved(two);
    expect((await stored('two')).root.activities).toHaveLength(2);
    // The first one comes back to the tab and sees it.
    await one.evaluate('window.dispatchEvent(new Event("focus"))');
    await one.getByText('Another person has changed this workflow.').waitFor();
    await node(one, 'B').waitFor();
  });

  it('draws only the visible ones of a thousand activities, and simple blocks at low zoom', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({
      ...line(`Step${index}`, (index % 40) * 290),
      ...at((index % 40) * 290, Math.floor(index / 40) * 110),
    }));
    const links = many.slice(1).map(({ id }, index) => link(many[index]!.id, id));
    await store('thousand', flowchart(many, links));
    const page = await open('thousand');
    const nodes = canvas(page).locator('.react-flow__node');
    await nodes.first().waitFor();
    expect(await nodes.count()).toBeLessThan(200);
    await canvas(page).focus();
    // What is drawn on the way there costs more than what is seen in the end.
    await page.evaluate(`window.edgesDrawn = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const added of addedNodes) if (added.querySelector?.('.react-flow__edge')) window.edgesDrawn++;
      }).observe(document.querySelector('[data-canvas]'), { childList: true, subtree: true });`);
    await page.keyboard.press('f');
    await canvas(page).locator('.react-flow__node').nth(999).waitFor();
    // Without words, handles or buttons.
    expect(await nodes.filter({ hasText: 'Step' }).count()).toBe(0);
    expect(await page.evaluate('window.edgesDrawn')).toBe(0);
    await studio.picture(page, 'thousand');
  });
});
