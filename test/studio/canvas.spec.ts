import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { at, designerOf, flowchart, line, link, literal } from './designer.js';
import { Studio } from './studio.js';

/** What a hand finds out in the first minutes, after years with other designers. */
describeInBrowser('the canvas of Studio', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { store, stored, canvas, node, properties, saved, open, drag, ways } = designerOf(() => studio);
  const middleOf = async (page: Page, name: string) => {
    const { x, y, width, height } = (await node(page, name).boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };

  it('inserts an activity that is dropped on a connection, and highlights the connection before', async () => {
    await store('dropped', flowchart([line('A', 60), line('B', 600)], [link('A', 'B')]));
    const page = await open('dropped');
    const [a, b] = [await middleOf(page, 'A'), await middleOf(page, 'B')];
    const goal = { x: (a.x + b.x) / 2, y: a.y };
    await page.getByRole('searchbox', { name: 'Search activities' }).fill('run task');
    const tool = (await page.getByRole('button', { name: 'Add Run Task', exact: true }).boundingBox())!;
    await page.mouse.move(tool.x + 20, tool.y + 10);
    await page.mouse.down();
    await page.mouse.move(goal.x, goal.y - 120, { steps: 4 });
    expect(await canvas(page).locator('.react-flow__edge[data-drop]').count()).toBe(0);
    await page.mouse.move(goal.x, goal.y, { steps: 4 });
    // The first step on it only enters.
    await page.mouse.move(goal.x + 2, goal.y);
    await canvas(page).locator('.react-flow__edge[data-drop]').waitFor({ state: 'attached' });
    await studio.picture(page, 'drop-on-connection');
    await page.mouse.up();
    await node(page, 'RunTask1').waitFor();
    expect(await canvas(page).locator('.react-flow__edge[data-drop]').count()).toBe(0);
    await saved(page);
    expect(await ways('dropped')).toEqual(['A Done RunTask1', 'RunTask1 Done B']);
    // One step back, with the connection as it was.
    await canvas(page).focus();
    await page.keyboard.press('Control+z');
    await node(page, 'RunTask1').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await saved(page);
    expect(await ways('dropped')).toEqual(['A Done B']);
  });

  it('says in the middle of an empty canvas how to begin', async () => {
    await store('empty', flowchart([]));
    const page = await open('empty');
    const said = (await page.getByText('Nothing here yet', { exact: true }).boundingBox())!;
    const room = (await canvas(page).boundingBox())!;
    expect(Math.abs(said.x + said.width / 2 - (room.x + room.width / 2))).toBeLessThan(2);
  });

  it('asks what to insert at a double click on the canvas, and scrolls to the place of an undone change', async () => {
    const hold = { id: 'If1', name: 'If1', type: 'Elsa.If', version: 1, then: null, ...at(60) };
    await store('double', flowchart([hold]));
    const page = await open('double');
    const { x, y, width, height } = (await canvas(page).boundingBox())!;
    await page.mouse.dblclick(x + width * 0.7, y + height * 0.3);
    await page.getByRole('combobox', { name: 'Add an activity' }).fill('write line');
    await page.keyboard.press('Enter');
    await node(page, 'WriteLine1').waitFor();
    const middle = await middleOf(page, 'WriteLine1');
    expect(Math.hypot(middle.x - (x + width * 0.7), middle.y - (y + height * 0.3))).toBeLessThan(15);
    await node(page, 'If1').getByRole('button', { name: 'Open Then of If1' }).click();
    await canvas(page).focus();
    await page.keyboard.press('n');
    await page.getByRole('combobox', { name: /^Add an activity/ }).fill('delay');
    await page.keyboard.press('Enter');
    await node(page, 'Delay1').waitFor();
    const path = page.getByRole('navigation', { name: 'Level of the canvas' });
    // What is above is taken back there, and what is inside there.
    await page.keyboard.press('Control+z');
    await node(page, 'Delay1').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await node(page, 'If1').waitFor();
    await node(page, 'WriteLine1').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+z');
    await node(page, 'WriteLine1').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await node(page, 'Delay1').waitFor();
    await path.getByText('If1: Then').waitFor();
  });

  it('connects with the activity on which a line is let go, wherever on it', async () => {
    await store('bodies', flowchart([line('A', 60), line('B', 500)]));
    const page = await open('bodies');
    const port = canvas(page).getByTitle('Add after Done of A', { exact: true });
    await drag(page, port, await middleOf(page, 'B'));
    await canvas(page).locator('.react-flow__edge').waitFor({ state: 'attached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The same once more is no second connection.
    await drag(page, port, await middleOf(page, 'B'));
    expect(await page.getByRole('dialog').count()).toBe(0);
    await saved(page);
    expect(await ways('bodies')).toEqual(['A Done B']);
  });

  it('copies notes with the activities between two tabs, and puts a second copy beside the first', async () => {
    const notes = [{ id: 'n1', text: 'Ask Mia first.', position: { x: 60, y: 240 } }];
    await store('noted-source', { ...flowchart([line('A', 60)]), metadata: { notes } });
    await store('noted-goal', flowchart());
    const page = await open('noted-source');
    const other = await page.context().newPage();
    await other.goto(`${studio.host.url}/studio/workflows/noted-goal`);
    await canvas(other).waitFor();
    await page.bringToFront();
    await canvas(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+x');
    await page.getByRole('status').getByText('1 activity and 1 note copied.').waitFor();
    await page.getByText('Nothing here yet').waitFor();
    await other.bringToFront();
    await canvas(other).focus();
    await other.keyboard.press('Control+v');
    await node(other, 'Ask Mia first.').waitFor();
    await other.keyboard.press('Control+v');
    await node(other, 'Ask Mia first.').nth(1).waitFor();
    await saved(other);
    await studio.picture(other, 'pasted-twice');
    const { root } = await stored('noted-goal');
    const placesOf = (list: readonly { metadata?: { designer?: { position?: object } } }[]) =>
      new Set(list.map(({ metadata }) => JSON.stringify(metadata?.designer?.position)));
    expect(placesOf(root.activities!).size).toBe(2);
    expect(root.metadata).toMatchObject({ notes: [{ text: 'Ask Mia first.' }, { text: 'Ask Mia first.' }] });
  });

  it('undoes typing in a field there, but not changes of the drawing', async () => {
    await store('own-undo', flowchart([line('A', 60)]), { inputs: [{ name: 'Amount', type: 'String' }] });
    const page = await open('own-undo');
    await node(page, 'A').click();
    await properties(page).getByLabel('Text', { exact: true }).fill('drawn');
    await saved(page);
    const search = page.getByRole('searchbox', { name: 'Search activities' });
    await search.focus();
    await page.keyboard.type('delay');
    await page.keyboard.press('Control+z');
    expect(await properties(page).getByLabel('Text', { exact: true }).inputValue()).toBe('drawn');
    await canvas(page).focus();
    await page.keyboard.press('Control+z');
    await node(page, 'A').click();
    expect(await properties(page).getByLabel('Text', { exact: true }).inputValue()).toBe('A');
  });

  it('has a calendar for a moment, which is kept with its offset, and the names of time zones', async () => {
    const start = { id: 'Start', name: 'Start', type: 'Elsa.StartAt', version: 1, ...at(60) };
    const cron = { id: 'Nightly', name: 'Nightly', type: 'Elsa.Cron', version: 1, ...at(400) };
    await store('moments', flowchart([{ ...start, dateTime: literal('DateTimeOffset', 'soon') }, cron]));
    const page = await studio.open('/workflows/moments', { timezoneId: 'Asia/Tokyo' });
    await node(page, 'Start').click();
    await properties(page).getByText('Write it as 2026-12-24T18:00:00+01:00.').waitFor();
    await properties(page)
      .getByLabel(/^Pick Date ?Time$/)
      .fill('2030-12-24T18:00');
    await properties(page)
      .getByText(/24.*2030.*where you are/)
      .waitFor();
    await studio.picture(page, 'moment');
    expect(await studio.axe(page)).toEqual([]);
    await saved(page);
    expect((await stored('moments')).root.activities![0]).toMatchObject({
      dateTime: { expression: { type: 'Literal', value: '2030-12-24T18:00:00+09:00' } },
    });
    // By keys: on its way a year is 2, 20 and 203, in which clocks of the zone were 18 minutes and 59 seconds apart from today's.
    await properties(page)
      .getByLabel(/^Pick Date ?Time$/)
      .focus();
    await page.keyboard.type('12242031');
    await saved(page);
    expect((await stored('moments')).root.activities![0]).toMatchObject({
      dateTime: { expression: { type: 'Literal', value: '2031-12-24T18:00:00+09:00' } },
    });
    await node(page, 'Nightly').click();
    const zones = properties(page).locator('datalist option[value="Europe/Vienna"]');
    await zones.waitFor({ state: 'attached' });
  });

  it('finds the workflow to call by what is typed', async () => {
    for (const id of ['called-first', 'called-second'])
      await studio.host.call('POST', '/elsa/api/workflow-definitions', {
        model: { definitionId: id, name: `Name of ${id}`, root: line('A', 0) },
        publish: true,
      });
    const call = { id: 'Call', name: 'Call', type: 'Elsa.ExecuteWorkflow', version: 1 };
    await store('calling', flowchart([{ ...call, metadata: { designer: { position: { x: 60, y: 80 } } } }]));
    const page = await open('calling');
    await node(page, 'Call').click();
    const field = properties(page).getByRole('combobox', { name: 'Workflow Definition', exact: true });
    await field.pressSequentially('called-sec');
    const option = page.getByRole('option', { name: /called-/ });
    await option.filter({ hasText: 'called-first' }).waitFor({ state: 'detached' });
    await option.click();
    await saved(page);
    expect((await stored('calling')).root.activities![0]).toMatchObject({
      workflowDefinitionId: { expression: { value: 'called-second' } },
    });
    // With one chosen, all are offered again.
    await field.click();
    await option.filter({ hasText: 'called-first' }).waitFor();
    expect(await field.inputValue()).toBe('Name of called-second (called-second)');
  });

  it('asks before P publishes, and says so when the latest changes could not be saved', async () => {
    await store('asked', flowchart([line('A', 60)]));
    const page = await open('asked');
    const dialog = page.getByRole('dialog', { name: 'Publish this workflow' });
    const confirm = dialog.getByRole('button', { name: 'Publish', exact: true });
    await node(page, 'A').click();
    // The first letter of "Payment", typed where other designers rename.
    await page.keyboard.press('p');
    await confirm.and(page.locator(':focus')).waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await stored('asked')).isPublished).toBe(false);
    await page.route('**/elsa/api/workflow-definitions', (route) => route.abort());
    await properties(page).getByLabel('Text', { exact: true }).fill('changed');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await confirm.click();
    await dialog.getByText('It was not published: your latest changes are not saved.').waitFor();
    await page.unroute('**/elsa/api/workflow-definitions');
    await confirm.click();
    await page.getByRole('status').getByText('Published.').waitFor();
    expect(await stored('asked')).toMatchObject({
      isPublished: true,
      root: { activities: [{ text: { expression: { value: 'changed' } } }] },
    });
  });

  it('renames an input with what reads it, and names one that the workflow does not declare', async () => {
    const reads = (name: string, x: number) => ({
      ...line(name, x),
      text: { typeName: 'String', expression: { type: 'Input', value: { name, type: 'String' } } },
    });
    const inputs = [{ name: 'amount', displayName: 'amount', type: 'String' }];
    await store('renamed', flowchart([reads('amount', 60), reads('gone', 400)]), { inputs });
    const page = await open('renamed');
    await properties(page).getByRole('tab', { name: 'Data' }).click();
    await properties(page)
      .getByRole('button', { name: /^amount/ })
      .click();
    const name = properties(page).getByLabel('Name', { exact: true });
    await name.fill('total');
    expect((await stored('renamed')).inputs).toMatchObject([{ name: 'amount' }]);
    await name.press('Enter');
    await saved(page);
    const { inputs: named, root } = await stored('renamed');
    expect([named, root.activities]).toMatchObject([
      [{ name: 'total' }],
      [{ text: { expression: { value: { name: 'total' } } } }, { text: { expression: { value: { name: 'gone' } } } }],
    ]);
    await node(page, 'gone').click();
    const field = properties(page).getByRole('combobox', { name: 'Text', exact: true });
    expect(await field.inputValue()).toBe('gone (not declared by the workflow)');
  });

  it('keeps an editor of JSON while its text becomes one that fits a table, and has its own undo for what is typed there', async () => {
    const requestHeaders = { typeName: 'HttpHeaders', expression: { type: 'Object', value: '{"a":1}' } };
    await store('json', flowchart([{ ...line('Send', 60), type: 'Elsa.FlowSendHttpRequest', requestHeaders }]));
    const page = await open('json');
    await node(page, 'Send').click();
    const editor = properties(page).locator('.cm-content');
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('{"b":"c"}');
    await saved(page);
    const headers = async () =>
      (await stored('json')).root.activities![0] as unknown as { requestHeaders: { expression: { value: string } } };
    expect(await headers()).toMatchObject({ requestHeaders: { expression: { value: '{"b":"c"}' } } });
    // What the drawing's undo, or another person, has written is not taken back by that of the editor.
    await page.getByRole('button', { name: 'Undo' }).click();
    await editor.filter({ hasNotText: '"b"' }).waitFor();
    const shown = await editor.textContent();
    await editor.click();
    await page.keyboard.press('Control+z');
    expect(await editor.textContent()).toBe(shown);
  });

  it('says in the list that the last changes are not saved, and keeps what is typed in a dialog at a click beside it', async () => {
    await store('left', flowchart([line('A', 60)]));
    const page = await open('left');
    await page.route('**/elsa/api/workflow-definitions', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 413, json: {} }) : route.continue(),
    );
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Orders');
    await page.getByRole('navigation').getByRole('link', { name: 'Workflows' }).click();
    await page.getByText('Your last changes of “Orders” are not saved: the server refuses them.').waitFor();
    await page.getByRole('button', { name: 'New workflow' }).click();
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await name.fill('Typed');
    await page.mouse.click(5, 5);
    expect(await name.inputValue()).toBe('Typed');
    await page.keyboard.press('Escape');
    await name.waitFor({ state: 'detached' });
  });
});
