import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isThorough, sampleOf } from '../support/depth.js';
import { describeInBrowser } from './browser.js';
import {
  type DefinitionJson,
  designerOf,
  flowchart,
  line,
  link,
  placeOf,
  savingLater,
  withoutPlace,
} from './designer.js';
import { goTo, Studio } from './studio.js';

const RECORDED = path.join(
  import.meta.dirname,
  '../../libs/studio/client/src/designer/model/recorded-definitions.jsonl',
);

describeInBrowser('the designer of Studio', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { store, stored, canvas, node, properties, saved, publish, open, opened, drag, ways } = designerOf(
    () => studio,
  );

  it('draws leave approval with the mouse, shows what is missing, and publishes it', async () => {
    await store('leave-by-mouse', flowchart());
    const page = await open('leave-by-mouse');
    const tool = (name: string) => page.getByRole('button', { name: `Add ${name}`, exact: true });
    await page.getByRole('searchbox', { name: 'Search activities' }).fill('run task');
    await tool('Run Task').dragTo(canvas(page), { targetPosition: { x: 40, y: 250 } });
    await node(page, 'RunTask1').waitFor();
    await page.getByRole('searchbox', { name: 'Search activities' }).fill('');
    await properties(page).getByLabel('Task Name', { exact: true }).fill('Approve leave');
    // A click puts it behind what is selected.
    await tool('Decision').click();
    await node(page, 'FlowDecision1').waitFor();
    await properties(page).getByLabel('Language of Condition').click();
    await page.getByRole('option', { name: 'JavaScript' }).click();
    await properties(page).locator('.cm-content').fill('getDecision() === true');
    // A line that ends in nothing asks what shall come there.
    await canvas(page).getByRole('button', { name: 'Show everything' }).click();
    const port = (name: string) => canvas(page).getByTitle(`Add after ${name} of FlowDecision1`, { exact: true });
    await port('True').click();
    await page.getByRole('combobox', { name: 'Add an activity after True' }).fill('write line');
    await page.keyboard.press('Enter');
    await properties(page).getByLabel('Text', { exact: true }).fill('Enjoy it');
    await canvas(page).getByRole('button', { name: 'Show everything' }).click();
    await port('False').click();
    await page.getByRole('combobox', { name: 'Add an activity after False' }).fill('write line');
    await page.keyboard.press('Enter');
    await node(page, 'WriteLine2').waitFor();
    await canvas(page).getByRole('button', { name: 'Show everything' }).click();
    await drag(
      page,
      canvas(page).getByTitle('Add after Done of WriteLine1', { exact: true }),
      node(page, 'WriteLine2').locator('.react-flow__handle.target'),
    );
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await saved(page);
    await studio.picture(page, 'designer-leave');
    expect(await studio.axe(page)).toEqual([]);
    expect(await ways('leave-by-mouse')).toEqual([
      'FlowDecision1 False WriteLine2',
      'FlowDecision1 True WriteLine1',
      'RunTask1 Done FlowDecision1',
      'WriteLine1 Done WriteLine2',
    ]);
    await publish(page);
    await page.getByRole('status').getByText('Published.').waitFor();
    expect(await stored('leave-by-mouse')).toMatchObject({ isPublished: true, version: 1 });
  });

  it('draws it with the keyboard alone, and takes everything back and forward again', async () => {
    await store('leave-by-keys', flowchart());
    const page = await open('leave-by-keys');
    const keys = page.keyboard;
    const add = async (name: string) => {
      await keys.press('Insert');
      await page.getByRole('combobox', { name: /^Add an activity/ }).waitFor();
      await keys.type(name);
      await keys.press('Enter');
    };
    await canvas(page).focus();
    await add('run task');
    await node(page, 'RunTask1').waitFor();
    await keys.press('Enter');
    await keys.type('Approve leave');
    await keys.press('Escape');
    await add('decision');
    await node(page, 'FlowDecision1').waitFor();
    await add('write line');
    await node(page, 'WriteLine1').waitFor();
    await keys.press('ArrowLeft');
    await add('write line');
    await node(page, 'WriteLine2').waitFor();
    // And both of them end in one.
    await add('write line');
    await node(page, 'WriteLine3').waitFor();
    await keys.press('ArrowUp');
    await page.getByRole('heading', { level: 2, name: 'WriteLine1' }).waitFor();
    await keys.press('c');
    await page.getByRole('combobox', { name: /^Connect/ }).waitFor();
    await keys.type('WriteLine3');
    await keys.press('Enter');
    await saved(page);
    const drawn = await ways('leave-by-keys');
    expect(drawn).toEqual([
      'FlowDecision1 False WriteLine2',
      'FlowDecision1 True WriteLine1',
      'RunTask1 Done FlowDecision1',
      'WriteLine1 Done WriteLine3',
      'WriteLine2 Done WriteLine3',
    ]);
    await studio.picture(page, 'designer-keys');
    const before = (await stored('leave-by-keys')).root;
    const undo = page.getByRole('button', { name: 'Undo' });
    while (await undo.isEnabled()) await keys.press('Control+z');
    await page.getByText('Nothing here yet').waitFor();
    const redo = page.getByRole('button', { name: 'Redo' });
    while (await redo.isEnabled()) await keys.press('Control+Shift+z');
    await node(page, 'WriteLine3').waitFor();
    await keys.press('Control+s');
    await saved(page);
    expect((await stored('leave-by-keys')).root).toEqual(before);
  });

  it('opens what activities hold, adds there, and copies from one workflow into another', async () => {
    const hold = {
      id: 'If1',
      name: 'If1',
      type: 'Elsa.If',
      version: 1,
      then: null,
      metadata: { designer: { position: { x: 60, y: 80 } } },
    };
    await store('holder', flowchart([hold, line('After', 400)], [link('If1', 'After')]));
    await store('taker', flowchart());
    const page = await open('holder');
    await node(page, 'If1').getByRole('button', { name: 'Open Then of If1' }).click();
    await page.getByText('Nothing here yet').waitFor();
    await canvas(page).focus();
    await page.keyboard.press('n');
    await page.getByRole('combobox', { name: /^Add an activity/ }).fill('delay');
    await page.keyboard.press('Enter');
    await node(page, 'Delay1').waitFor();
    await properties(page).getByLabel('Time Span', { exact: true }).fill('soon');
    await properties(page).getByText('Write it as 00:05:00').waitFor();
    await properties(page).getByLabel('Time Span', { exact: true }).fill('00:00:05');
    await studio.picture(page, 'designer-inside');
    await page
      .getByRole('navigation', { name: 'Level of the canvas' })
      .getByRole('button', { name: 'Workflow' })
      .click();
    await saved(page);
    expect((await stored('holder')).root.activities![0]).toMatchObject({
      then: { type: 'Elsa.Flowchart', activities: [{ type: 'Elsa.Delay' }] },
    });
    await canvas(page).focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('heading', { name: '2 activities selected' }).waitFor();
    await studio.picture(page, 'designer-selection');
    expect(await studio.axe(page)).toEqual([]);
    await page.keyboard.press('Control+c');
    await page.getByRole('status').getByText('2 activities copied.').waitFor();
    await page.goto(`${studio.host.url}/studio/workflows/taker`);
    await canvas(page).waitFor();
    await canvas(page).focus();
    await page.keyboard.press('Control+v');
    await node(page, 'After').waitFor();
    await saved(page);
    expect(await ways('taker')).toEqual(['If1 Done After']);
  });

  it('changes nothing of recorded definitions but the position of the one activity that is moved', async () => {
    const page = await studio.open('/workflows');
    const recorded = readFileSync(RECORDED, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as DefinitionJson);
    let compared = 0;
    const drawn = recorded.filter(({ root }) => root?.type && (root.activities?.length ?? 1) > 0);
    for (const model of sampleOf(drawn, 4)) {
      const { status, json } = await studio.host.call('POST', '/elsa/api/workflow-definitions/import', model);
      // Of those recorded as mistakes the server refuses some.
      if (status === 400) continue;
      const { definitionId } = json as { definitionId: string };
      const exported = async () => {
        const { text } = await studio.host.call('GET', `/elsa/api/workflow-definitions/${definitionId}/export`);
        return JSON.parse(text) as DefinitionJson;
      };
      const before = await exported();
      await goTo(page, '/workflows?q=none');
      await canvas(page).waitFor({ state: 'detached' });
      await goTo(page, `/workflows/${definitionId}`);
      await canvas(page).locator('.react-flow__node').first().waitFor();
      await opened(page);
      // By keyboard: in Elsa's picture nodes lie on each other. What stands in an order is moved by hand.
      await canvas(page).focus();
      await page.keyboard.press('ArrowRight');
      const chosen = canvas(page).locator('.react-flow__node.selected');
      const id = (await chosen.getAttribute('data-id'))!;
      if (before.root.type === 'Elsa.Flowchart') await page.keyboard.press('Alt+ArrowDown');
      else {
        const { x, y, width } = (await chosen.boundingBox())!;
        await drag(page, chosen, { x: x + width / 2, y: y + 120 });
      }
      await saved(page);
      const after = await exported();
      expect([definitionId, placeOf(after.root, id)]).not.toEqual([definitionId, placeOf(before.root, id)]);
      expect(JSON.stringify(withoutPlace(after, id))).toBe(JSON.stringify(withoutPlace(before, id)));
      compared += 1;
    }
    expect(compared).toBeGreaterThanOrEqual(isThorough ? 40 : 10);
  });

  it('overwrites nothing when two people draw at the same time', async () => {
    await store('shared-draft', flowchart([line('A', 60), line('B', 400)]));
    const [one, two] = [await open('shared-draft'), await open('shared-draft')];
    await savingLater(two, async () => {
      await properties(two).getByRole('textbox', { name: 'Name' }).fill('Renamed by two');
      await properties(one).getByRole('textbox', { name: 'Name' }).fill('Renamed by one');
      await saved(one);
    });
    await two.getByRole('button', { name: 'Compare and choose' }).click();
    const dialog = two.getByRole('dialog');
    await dialog.getByText('Renamed by one').waitFor();
    await studio.picture(two, 'designer-conflict');
    expect(await studio.axe(two)).toEqual([]);
    expect((await stored('shared-draft')).name).toBe('Renamed by one');
    await dialog.getByRole('button', { name: 'Save mine over theirs' }).click();
    await saved(two);
    expect((await stored('shared-draft')).name).toBe('Renamed by two');
  });

  it('keeps what is drawn of a workflow that another person deletes, also in a new tab, and saves it again on demand', async () => {
    await store('doomed-draft', flowchart([line('A', 60)]));
    const page = await open('doomed-draft');
    await studio.host.call('DELETE', '/elsa/api/workflow-definitions/doomed-draft');
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Not lost');
    await page.getByRole('status').getByText('Deleted by another person').waitFor();
    await studio.picture(page, 'designer-deleted');
    await page.goto(`${studio.host.url}/studio/workflows/doomed-draft`);
    await page.getByText('There is no workflow “doomed-draft”.').waitFor();
    await page.getByRole('button', { name: 'Open them' }).click();
    await page.getByRole('button', { name: 'Save it again' }).click();
    await saved(page);
    expect((await stored('doomed-draft')).name).toBe('Not lost');
  });

  it('keeps what could not be saved when the tab dies, and continues with it', async () => {
    await store('survivor', flowchart([line('A', 60)]));
    const page = await open('survivor');
    await page.route('**/elsa/api/workflow-definitions', (route) => route.abort());
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Not lost');
    await page.getByRole('status').getByText('Offline, kept here').waitFor();
    await page.unroute('**/elsa/api/workflow-definitions');
    expect((await stored('survivor')).name).toBe('survivor');
    // No page is asked to say goodbye.
    await page.goto('about:blank');
    await page.goto(`${studio.host.url}/studio/workflows/survivor`);
    await page.getByText('Changes that had not been saved are here again.').waitFor();
    await saved(page);
    expect((await stored('survivor')).name).toBe('Not lost');
  });

  it('shows two versions on one picture', async () => {
    await store('versions', flowchart([line('Stays', 60), line('Goes', 400)], [link('Stays', 'Goes')]));
    await studio.host.call('POST', '/elsa/api/workflow-definitions/versions/publish', {});
    await store('versions', flowchart([line('Stays', 60, 'other'), line('Comes', 400)], [link('Stays', 'Comes')]));
    const page = await studio.open('/workflows/versions/compare');
    const list = page.getByRole('region', { name: 'Differences' });
    await list.getByText('other').waitFor();
    for (const [name, kind] of [
      ['Goes', 'Removed'],
      ['Comes', 'Added'],
      ['Stays', 'Changed'],
    ] as const)
      await page
        .getByRole('group', { name: 'Differences in the picture' })
        .locator('.react-flow__node')
        .filter({ hasText: name })
        .getByText(kind)
        .waitFor();
    await studio.picture(page, 'designer-compare');
    expect(await studio.axe(page)).toEqual([]);
    // Who may read definitions, and no descriptors of activities, compares all the same.
    await page.route('**/descriptors/activities*', (route) => route.fulfill({ status: 403, json: {} }));
    await page.reload();
    await list.getByText('other').waitFor();
    await page.locator('.react-flow__node').filter({ hasText: 'Comes' }).getByText('Added').waitFor();
  });

  it('shows two versions of a state machine as states and transitions, and what is different inside', async () => {
    const event = (id: string, eventName: string) => ({
      id,
      type: 'Elsa.Event',
      eventName: { typeName: 'String', expression: { type: 'Literal', value: eventName } },
    });
    const way = (name: string, from: string, to: string, eventName: string) => ({
      name,
      from,
      to,
      trigger: event(`On${name}`, eventName),
    });
    const machine = (states: string[], transitions: object[]) => ({
      id: 'Order',
      type: 'Elsa.StateMachine',
      version: 1,
      states: states.map((name) => ({ name })),
      transitions,
      initialState: 'Open',
    });
    await store(
      'machines',
      machine(
        ['Open', 'Paid', 'Lost'],
        [
          way('pay', 'Open', 'Paid', 'paid'),
          way('lose', 'Open', 'Lost', 'lost'),
          way('refund', 'Paid', 'Open', 'back'),
        ],
      ),
    );
    await studio.host.call('POST', '/elsa/api/workflow-definitions/machines/publish', {});
    await store(
      'machines',
      machine(
        ['Open', 'Paid', 'Sent'],
        [
          way('pay', 'Open', 'Paid', 'money'),
          way('send', 'Paid', 'Sent', 'sent'),
          way('refund', 'Paid', 'Open', 'back'),
        ],
      ),
    );
    const page = await studio.open('/workflows/machines/compare');
    const list = page.getByRole('region', { name: 'Differences' });
    const picture = page.getByRole('group', { name: 'Differences in the picture' });
    await list.getByText('Transition, Paid → Sent').waitFor();
    for (const [name, kind] of [
      ['Sent', 'Added'],
      ['Lost', 'Removed'],
    ] as const)
      await picture.locator('.react-flow__node').filter({ hasText: name }).getByText(kind).waitFor();
    await picture.getByText('send · Added').waitFor();
    await picture.getByText('lose · Removed').waitFor();
    await picture.getByText('pay · Changed').waitFor();
    await studio.picture(page, 'compare-machines');
    expect(await studio.axe(page)).toEqual([]);
    // Into the transition, and back up.
    await list.getByText('in pay: trigger').waitFor();
    await list.getByRole('button', { name: 'Onpay' }).click();
    await picture.locator('.react-flow__node').filter({ hasText: 'Onpay' }).getByText('Changed').waitFor();
    await studio.picture(page, 'compare-transition');
    await page
      .getByRole('navigation', { name: 'Level of the picture' })
      .getByRole('button', { name: 'Workflow' })
      .click();
    await picture.locator('.react-flow__node').filter({ hasText: 'Sent' }).waitFor();
  });

  it('says on the activity and in the list what keeps it from being published', async () => {
    const wrong = { ...line('Wrong', 60), text: { typeName: 'String', expression: { type: 'CSharp', value: '1' } } };
    await store('wrong', flowchart([wrong]));
    const page = await studio.open('/workflows/wrong', { colorScheme: 'dark' });
    await page.getByRole('button', { name: '1 problem' }).click();
    await page.getByRole('button', { name: 'Wrong', exact: true }).waitFor();
    // Not the browser's own: it would save the page.
    const taken = await page.evaluateHandle(() => {
      const pressed = new Promise<boolean>((done) =>
        addEventListener('keydown', (event) => event.key === 's' && done(event.defaultPrevented), true),
      );
      return { pressed };
    });
    await page.keyboard.press('Control+s');
    expect(await taken.evaluate(({ pressed }) => pressed)).toBe(true);
    await page.getByRole('button', { name: 'Wrong', exact: true }).click();
    await properties(page).getByRole('alert').getByText('C#').waitFor();
    await studio.picture(page, 'designer-dark');
    expect(await studio.axe(page)).toEqual([]);
  });

  it('keeps notes where Elsa keeps them, moved and written by mouse and keys; an export has them unchanged', async () => {
    await store('noted', flowchart([line('A', 60)]));
    const page = await open('noted');
    await canvas(page).getByRole('button', { name: 'Add a note' }).click();
    await page.keyboard.type('Ask Mia before you change this.\nShe knows why.');
    await node(page, 'She knows why.').waitFor();
    await saved(page);
    await studio.picture(page, 'designer-note');
    expect(await studio.axe(page)).toEqual([]);
    const notes = async () => {
      const { root } = await stored('noted');
      return (root.metadata as { notes?: { text: string; position: { x: number } }[] } | undefined)?.notes;
    };
    const [first] = (await notes())!;
    expect(first!.text).toBe('Ask Mia before you change this.\nShe knows why.');
    await page.keyboard.press('Escape');
    const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
    await page.keyboard.press('Alt+ArrowRight');
    await answered;
    await saved(page);
    const moved = (await notes())!;
    expect(moved).toEqual([{ ...first, position: { ...first!.position, x: first!.position.x + 20 } }]);
    // Out of Elsa's file and back in.
    const { text } = await studio.host.call('GET', '/elsa/api/workflow-definitions/noted/export?versionOptions=Latest');
    const exported = JSON.parse(text) as DefinitionJson;
    expect(exported.root.metadata).toMatchObject({ notes: moved });
    await studio.host.call('POST', '/elsa/api/workflow-definitions/import', { ...exported, definitionId: 'noted-2' });
    expect((await stored('noted-2')).root.metadata).toMatchObject({ notes: moved });
    await page.keyboard.press('Delete');
    await node(page, 'She knows why.').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await node(page, 'She knows why.').waitFor();
  });

  it('says a cron expression in words, and when it matches next in its time zone', async () => {
    const cron = { id: 'Nightly', name: 'Nightly', type: 'Elsa.Cron', version: 1 };
    await store('nightly', flowchart([cron]));
    const page = await open('nightly');
    await node(page, 'Nightly').click();
    await properties(page).getByLabel('Cron Expression', { exact: true }).fill('0 30 8 * * MON-FRI');
    await properties(page).getByText('At 08:30, Monday through Friday').waitFor();
    const times = properties(page).getByRole('list', { name: 'The next times' }).getByRole('listitem');
    await times.nth(4).waitFor();
    await properties(page).getByLabel('Time Zone', { exact: true }).fill('Asia/Tokyo');
    await properties(page).getByText('The next times, in Asia/Tokyo:').waitFor();
    await times.nth(4).waitFor();
    // As the zone has them, wherever the browser is.
    for (const text of await times.allTextContents())
      expect(text).toMatch(/^(Mon|Tues|Wednes|Thurs|Fri)day.* 08:30:00$/);
    await studio.picture(page, 'designer-cron');
    expect(await studio.axe(page)).toEqual([]);
    await properties(page).getByLabel('Cron Expression', { exact: true }).fill('0 0 31 2 *');
    await properties(page).getByText('It never matches, or is not valid.').waitFor();
  });

  it('has a table for names and texts, and JSON for other values', async () => {
    const send = { id: 'Send', name: 'Send', type: 'Elsa.FlowSendHttpRequest', version: 1 };
    await store('headers', flowchart([send]));
    const page = await open('headers');
    await node(page, 'Send').click();
    const headers = properties(page).getByRole('group', { name: 'Request Headers' });
    await headers.getByRole('button', { name: 'Add a row' }).click();
    await headers.getByLabel('Name 1', { exact: true }).fill('X-Customer');
    await headers.getByLabel('Value of X-Customer').fill('4711');
    await headers.getByRole('button', { name: 'Add a row' }).click();
    await headers.getByLabel('Name 2', { exact: true }).fill('X-Customer');
    await headers.getByText('Another row has this name.').waitFor();
    await studio.picture(page, 'designer-table');
    expect(await studio.axe(page)).toEqual([]);
    await headers.getByLabel('Name 2', { exact: true }).fill('X-Trace');
    await saved(page);
    const written = (await stored('headers')).root.activities![0] as unknown as {
      requestHeaders: { expression: { value: string } };
    };
    expect(JSON.parse(written.requestHeaders.expression.value)).toEqual({ 'X-Customer': '4711', 'X-Trace': '' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await headers.getByLabel('Name 1', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Redo' }).click();
    await headers.getByLabel('Value of X-Customer').waitFor();
    await properties(page).getByRole('button', { name: 'Edit as JSON' }).first().click();
    await properties(page).locator('.cm-content').filter({ hasText: 'X-Customer' }).waitFor();
  });

  it('leaves the values of a workflow out of the journal, and keeps single ones', async () => {
    await store('secretive', flowchart([line('A', 60), line('B', 400)], [link('A', 'B')]));
    const page = await open('secretive');
    await properties(page).getByRole('combobox', { name: 'Keep values in the journal' }).click();
    await page.getByRole('option', { name: 'Leave them out' }).click();
    await node(page, 'A').click();
    await properties(page).getByRole('tab', { name: 'Common' }).click();
    await properties(page).getByText('Value by value').click();
    await properties(page).getByRole('combobox', { name: 'Keep input Text' }).click();
    await page.getByRole('option', { name: 'Keep them' }).click();
    await saved(page);
    await studio.picture(page, 'designer-log');
    expect(await studio.axe(page)).toEqual([]);
    await publish(page);
    await page.getByRole('status').getByText('Published.').waitFor();
    const { json } = await studio.host.call('POST', '/elsa/api/workflow-definitions/secretive/execute', {});
    const { items } = (
      await studio.host.call('GET', `/elsa/api/activity-executions/list?workflowInstanceId=${json.workflowState.id}`)
    ).json as { items: { activityId: string; activityState?: object }[] };
    const keptOf = (id: string) => items.find(({ activityId }) => activityId === id)!.activityState ?? {};
    // What the workflow leaves out, one value of one activity keeps.
    expect([keptOf('A'), keptOf('B')]).toEqual([{ Text: 'A' }, {}]);
  });
});
