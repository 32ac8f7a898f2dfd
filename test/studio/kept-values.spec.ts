import { describeTourInBrowser } from './browser.js';
import { at, designerOf, flowchart, line, link, literal, script } from './designer.js';
import { Studio } from './studio.js';

describeTourInBrowser('values of a workflow that is drawn in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { open, properties, saved, store, stored } = designerOf(() => studio);
  const post = (route: string, body: object) => studio.host.call('POST', `/elsa/api/${route}`, body);

  it('values of a workflow are kept while it waits: variables and inputs that were added there', async () => {
    const set = {
      id: 'Set',
      type: 'Elsa.RunJavaScript',
      version: 1,
      script: script('String', 'setVariable("Variable1", "Ann")'),
    };
    const wait = { id: 'Wait', name: 'Wait', type: 'Elsa.Event', version: 1, eventName: literal('String', 'never') };
    await store(
      'keeps',
      flowchart(
        [
          { ...set, ...at(60) },
          { ...wait, ...at(400) },
        ],
        [link('Set', 'Wait')],
      ),
    );
    const page = await open('keeps');
    await properties(page).getByRole('tab', { name: 'Data' }).click();
    await properties(page).getByRole('button', { name: 'Add a variable' }).click();
    await properties(page).getByRole('button', { name: 'Add an input' }).click();
    expect(await properties(page).getByText('is lost as soon as the workflow waits').count()).toBe(0);
    await saved(page);
    await studio.picture(page, 'kept-values');
    await post('workflow-definitions/keeps/publish', {});
    const { json } = await post('workflow-definitions/keeps/execute', { input: { Input1: 'Mia' } });
    await page.goto(`${studio.host.url}/studio/instances/${json.workflowState.id}`);
    const inspector = page.getByRole('complementary', { name: 'Details' });
    await inspector.getByText('Mia').waitFor();
    await inspector.getByRole('tab', { name: 'Variables' }).click();
    await inspector.getByText('Ann').waitFor();
  });

  it('values of a workflow that are not kept are named on the page of an instance, and where it is chosen', async () => {
    const inputs = [{ name: 'Customer', displayName: 'Customer', type: 'String' }];
    await store('loses', flowchart([line('A', 60)]), { inputs });
    await post('workflow-definitions/loses/publish', {});
    const { json } = await post('workflow-definitions/loses/execute', { input: { Customer: 'Mia' } });
    const page = await studio.open(`/instances/${json.workflowState.id}`);
    await page.getByText('Not kept: Customer.').waitFor();
    await studio.picture(page, 'input-not-kept');
    expect(await studio.axe(page)).toEqual([]);
    await page.goto(`${studio.host.url}/studio/workflows/loses`);
    await properties(page).getByRole('tab', { name: 'Data' }).click();
    await properties(page).getByRole('button', { name: 'Customer' }).click();
    await properties(page).getByText('Its value is lost as soon as the workflow waits.').waitFor();
  });

  it('values of a workflow get the name that is being typed with Ctrl S, and the keyboard stays in its field', async () => {
    const variables = [{ id: 'v', name: 'Amount', typeName: 'Int32' }];
    await store('typed', flowchart([line('A', 60)]), { variables });
    const page = await open('typed');
    await properties(page).getByRole('tab', { name: 'Data' }).click();
    await properties(page)
      .getByRole('button', { name: /Amount/ })
      .click();
    await properties(page).getByLabel('Name', { exact: true }).fill('Total');
    await page.keyboard.press('Control+s');
    await saved(page);
    expect((await stored('typed')).variables).toMatchObject([{ name: 'Total' }]);
    await page.keyboard.type('Price');
    await page.keyboard.press('Control+s');
    await saved(page);
    expect((await stored('typed')).variables).toMatchObject([{ name: 'TotalPrice' }]);
  });
});
