import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { leaveDeadLetters } from './dead-letters.js';
import { at, designerOf, flowchart, line, link, literal } from './designer.js';
import { Studio } from './studio.js';

const KEY = 'a-key-for-the-tests-of-studio-000';
const LOOKS = [
  'read:*',
  'read:workflow-definitions',
  'read:workflow-instances',
  'read:activity-descriptors',
  'read:activity-execution',
];
const password = 'right-password';
const USERS = [
  { name: 'ron', password, permissions: LOOKS },
  { name: 'vic', password, permissions: [...LOOKS, 'read:user-tasks'] },
  { name: 'tom', password, permissions: ['read:user-tasks', 'complete:user-tasks'] },
  { name: 'eve', password, permissions: [...LOOKS, 'write:workflow-definitions', 'exec:workflow-definitions'] },
  {
    name: 'dia',
    password,
    permissions: ['read:bookmark-queue:dead-letters', 'replay:bookmark-queue:dead-letters'],
  },
  {
    name: 'max',
    password,
    permissions: ['read:outbox:dead-letters', 'read:bookmark-queue:dead-letters', 'delete:outbox:dead-letters'],
  },
  { name: 'pia', password, permissions: [...LOOKS, 'publish:workflow-definitions'] },
];

describeInBrowser('Studio for users who may not do everything', ({ it }) => {
  let studio: Studio;
  let instanceId: string;
  beforeAll(async () => {
    studio = await Studio.start({ WAYMARK_USERS: JSON.stringify(USERS), WAYMARK_API_KEY: KEY });
    const post = (route: string, body: object) =>
      studio.host.call('POST', `/elsa/api/${route}`, body, { authorization: `ApiKey ${KEY}` });
    const wait = { id: 'Wait', name: 'Wait', type: 'Elsa.Event', version: 1, eventName: literal('String', 'never') };
    const variables = [
      { id: 'v', name: 'Total', typeName: 'Int32', storageDriverTypeName: 'WorkflowInstanceStorageDriver' },
    ];
    for (const text of ['1', '2']) {
      const model = {
        definitionId: 'waits',
        name: 'Waits',
        variables,
        root: flowchart([line('A', 60, text), { ...wait, ...at(400) }], [link('A', 'Wait')]),
      };
      await post('workflow-definitions', { model, publish: true });
    }
    instanceId = (await post('workflow-definitions/waits/execute', {})).json.workflowState.id;
    const task = {
      ...{ id: 'T', type: 'Waymark.UserTask', version: 1, taskName: literal('String', 'check') },
      ...{ title: literal('String', 'Check the receipt'), candidateUsers: literal('List<String>', ['vic']) },
    };
    await post('workflow-definitions', { model: { definitionId: 'task', name: 'Task', root: task }, publish: true });
    await post('workflow-definitions/task/execute', {});
    await leaveDeadLetters(studio.host.databaseFile, ['m1'], 's1');
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { canvas, node, properties } = designerOf(() => studio);
  /** Everything that the server refuses while a page is looked at. */
  const openAs = async (user: string, address: string) => {
    const page = await studio.open(address);
    const refused: string[] = [];
    page.on('response', (response) => response.status() === 403 && refused.push(new URL(response.url()).pathname));
    await page.getByLabel('User', { exact: true }).fill(user);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByText(user, { exact: true }).waitFor();
    const go = async (next: string) => {
      await page.goto(`${studio.host.url}/studio${next}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await studio.settled(page);
    };
    return { page, refused, go };
  };
  const names = async (page: Page, role: 'button' | 'menuitem' | 'link') =>
    (await page.getByRole(role).allTextContents()).map((text) => text.trim()).filter(Boolean);

  it('offers no change to those who may only look, and asks for nothing that they may not see', async () => {
    const { page, refused, go } = await openAs('ron', '/workflows');
    await page.getByRole('link', { name: 'Waits' }).waitFor();
    expect(await names(page, 'button')).not.toEqual(expect.arrayContaining(['Import']));
    expect(await page.getByRole('button', { name: 'New workflow' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for Waits' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).waitFor();
    expect(await names(page, 'menuitem')).toEqual(['Show instances', 'Where instances stand', 'Versions', 'Export']);
    await studio.picture(page, 'may-look-workflows');
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select Waits' }).check();
    expect(await names(page.getByRole('toolbar') as never, 'button')).toEqual(['Export']);
    await go('/workflows/waits');
    await page.getByText('You may look at it').waitFor();
    for (const name of ['Publish', 'Run', 'Undo', 'Problems'])
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
    await node(page, 'Wait').click();
    expect(await properties(page).getByRole('tab').allTextContents()).toEqual([
      'Inputs',
      'Outputs',
      'Connections',
      'Common',
    ]);
    await canvas(page).focus();
    await page.keyboard.press('Delete');
    await node(page, 'Wait').waitFor();
    await studio.picture(page, 'may-look-designer');
    expect(await studio.axe(page)).toEqual([]);
    await go('/workflows/waits/versions');
    expect(await page.getByRole('button', { name: 'Roll back' }).count()).toBe(0);
    await go(`/instances/${instanceId}`);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByText('Total').waitFor();
    expect(await page.getByRole('button', { name: 'Change Total' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Waiting' }).click();
    await page.getByRole('complementary').getByText('never').waitFor();
    expect(await page.getByRole('button', { name: 'Resume from here' }).count()).toBe(0);
    await go('/');
    expect(await names(page, 'link')).toEqual(
      expect.not.arrayContaining(['Tasks', 'Schedules', 'Dead letters', 'Audit trail']),
    );
    await go('/settings');
    await studio.picture(page, 'may-look-settings');
    expect(refused).toEqual([]);
  });

  it('offers to those who may draw and run, and not publish, what they may', async () => {
    const { page, refused, go } = await openAs('eve', '/workflows/waits');
    await canvas(page).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
    await properties(page).getByLabel('Name', { exact: true }).fill('Waits longer');
    await page.getByRole('status').getByText('Draft saved').waitFor();
    await go('/workflows');
    await page.getByRole('button', { name: 'New workflow' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Waits longer' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).waitFor();
    expect(await names(page, 'menuitem')).toEqual([
      'Run',
      'Show instances',
      'Where instances stand',
      'Versions',
      'Export',
      'Duplicate',
      'Rename',
    ]);
    expect(refused).toEqual([]);
  });

  it('shows a task to those who may read it, without the means to complete it', async () => {
    const { page, refused } = await openAs('vic', '/tasks?scope=Available');
    await page.getByRole('link', { name: 'Check the receipt' }).click();
    await page.getByRole('heading', { level: 2, name: 'Check the receipt' }).waitFor();
    await studio.settled(page);
    for (const name of ['Claim', 'Delegate', 'Complete', 'Comment', 'Done'])
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
    await studio.picture(page, 'may-look-task');
    expect(refused).toEqual([]);
  });

  it('lets those publish a draft who may publish and not draw, of which they see what others have saved', async () => {
    const save = (...texts: readonly string[]) =>
      studio.host.call(
        'POST',
        '/elsa/api/workflow-definitions/import',
        {
          definitionId: 'draft',
          name: 'Draft',
          root: flowchart(texts.map((text, place) => ({ ...line(text, 60), ...at(60, 100 + 110 * place) }))),
        },
        { authorization: `ApiKey ${KEY}` },
      );
    await save('First');
    const { page, refused } = await openAs('pia', '/workflows/draft');
    await node(page, 'First').waitFor();
    await save('First', 'Second');
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await node(page, 'Second').waitFor();
    await page.getByText('You see the new state.').waitFor();
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true });
    await publish.click();
    // Saved while they are asked, and not seen until then.
    const load = '**/by-definition-id/draft*';
    await page.route(load, (route) => route.abort());
    const missed = page.waitForEvent('requestfailed', (request) => request.url().includes('by-definition-id/draft'));
    await save('First', 'Second', 'Third');
    await missed;
    await page.unroute(load);
    await confirm.click();
    await node(page, 'Third').waitFor();
    await page.getByText('You may look at it').waitFor();
    await publish.click();
    await confirm.click();
    await page.getByText('Published.', { exact: true }).waitFor();
    expect(await publish.isDisabled()).toBe(true);
    await studio.picture(page, 'may-publish-designer');
    expect(refused).toEqual([]);
  });

  it('shows of the dead letters the kind that a person may read, and offers for each kind what they may do', async () => {
    const stimuli = await openAs('dia', '/dead-letters');
    const offered = async ({ page }: { page: Page }) => [
      await page.getByRole('button', { name: 'Replay all 1' }).count(),
      await page.getByRole('button', { name: 'Delete all 1' }).count(),
    ];
    await stimuli.go('/dead-letters');
    await stimuli.page.getByRole('button', { name: /Elsa.Event ?s1/ }).waitFor();
    expect(await stimuli.page.getByRole('radio').count()).toBe(0);
    expect(await offered(stimuli)).toEqual([1, 0]);
    await studio.picture(stimuli.page, 'may-read-stimuli');
    expect(await studio.axe(stimuli.page)).toEqual([]);
    expect(stimuli.refused).toEqual([]);

    const both = await openAs('max', '/dead-letters');
    await both.go('/dead-letters');
    await both.page.getByRole('button', { name: /Start a workflow ?m1/ }).waitFor();
    expect(await offered(both)).toEqual([0, 1]);
    await both.page.getByText('Stimuli · 1').click();
    await both.page.getByRole('button', { name: /Elsa.Event ?s1/ }).waitFor();
    expect(await offered(both)).toEqual([0, 0]);
    expect(both.refused).toEqual([]);
  });

  it('leads those who only work on tasks to these, and asks for no workflows and instances', async () => {
    const { page, refused, go } = await openAs('tom', '/');
    await page.getByRole('navigation').getByRole('link', { name: 'Tasks' }).waitFor();
    await studio.settled(page);
    const rooms = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(rooms.map((room) => room.trim())).toEqual(['Home', 'Tasks', 'Settings']);
    await page.getByRole('button', { name: 'Go to …' }).click();
    await page.getByRole('combobox').fill('Check');
    await go('/tasks?scope=Available');
    await studio.picture(page, 'may-work-on-tasks');
    expect(refused).toEqual([]);
  });
});
