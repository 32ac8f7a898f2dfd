import { describeTourInBrowser } from './browser.js';
import { at, designerOf, flowchart, literal, script } from './designer.js';
import { Studio } from './studio.js';

/** Names of the storage that keeps a value. */
const KEPT = { storageDriverTypeName: 'WorkflowInstanceStorageDriver' };

describeTourInBrowser('definitions that were written elsewhere, in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { node, open, properties, store } = designerOf(() => studio);
  const post = (route: string, body: object) => studio.host.call('POST', `/elsa/api/${route}`, body);

  it('definitions in which a drop-down would offer one value twice are shown', async () => {
    const call = {
      id: 'Script',
      name: 'Script',
      type: 'Elsa.RunJavaScript',
      version: 1,
      script: script('String', '1'),
    };
    const set = { id: 'Set', name: 'Set', type: 'Elsa.SetVariable', version: 1, value: literal('Object', 'x') };
    const endpoint = {
      ...{ id: 'Ask', name: 'Ask', type: 'Elsa.HttpEndpoint', version: 1, path: literal('String', 'twice') },
      supportedMethods: { typeName: 'List<String>', expression: { type: 'Object', value: '["GET", "get"]' } },
      customProperties: { canStartWorkflow: true },
    };
    const inner = { id: 'Inner', type: 'Elsa.Sequence', version: 1, activities: [endpoint] };
    await store(
      'twice',
      flowchart([
        { ...call, ...at(40) },
        { ...set, ...at(340) },
        { ...endpoint, ...at(40, 260) },
        { ...inner, ...at(340, 260) },
      ]),
      {
        variables: [
          { id: 'Result', name: 'Result', typeName: 'String', ...KEPT },
          { id: 'Result', name: 'Also', typeName: 'String', ...KEPT },
        ],
        inputs: [
          { name: 'In', type: 'String' },
          { name: 'In', type: 'String' },
        ],
        outputs: [{ name: 'Result', type: 'String' }],
      },
    );
    const page = await open('twice');
    await node(page, 'Script').click();
    await properties(page).getByRole('tab', { name: 'Outputs' }).click();
    await properties(page).getByLabel('Result').first().click();
    await page.getByRole('option', { name: 'Result' }).first().waitFor();
    await page.keyboard.press('Escape');
    await node(page, 'Set').click();
    await properties(page).getByLabel('Variable', { exact: true }).click();
    await page.getByRole('option', { name: 'Result' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dock = page.getByRole('region', { name: 'Run the draft' });
    await dock.getByLabel('Begin at').first().click();
    await page.getByRole('option', { name: /Ask/ }).click();
    await dock.getByRole('button', { name: 'Publish and call over HTTP' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).waitFor();
    expect(await page.getByText('This page failed.').count()).toBe(0);
  });

  it('machines with two states of one name are shown', async () => {
    const state = (name: string) => ({ name, entry: null, exit: null });
    const machine = {
      ...{ id: 'M', type: 'Elsa.StateMachine', version: 1, initialState: 'Open' },
      states: [state('Open'), state('Done'), state('Done')],
      transitions: [{ name: 'Close', from: 'Open', to: 'Done', trigger: null, condition: null, action: null }],
    };
    await store('twice-states', machine);
    const page = await open('twice-states');
    await page.getByRole('button', { name: 'Transition Close' }).click();
    await properties(page).getByLabel('From').click();
    await page.getByRole('option', { name: 'Done' }).waitFor();
  });

  it('scripts whose lines end as on Windows are not changed by looking at them', async () => {
    const call = {
      ...{ id: 'Script', name: 'Script', type: 'Elsa.RunJavaScript', version: 1 },
      script: script('String', 'const a = 1;\r\nreturn a;'),
    };
    await store('windows', flowchart([{ ...call, ...at(40) }]));
    await post('workflow-definitions/windows/publish', {});
    const page = await open('windows');
    await node(page, 'Script').click();
    const editor = properties(page).locator('.cm-content');
    await editor.getByText('return').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).isEnabled()).toBe(false);
    await page.getByRole('status').getByText('Published').waitFor();
  });
});
