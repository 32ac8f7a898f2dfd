import type { Page } from 'playwright-core';
import { leaveSchedules } from './application-schedules.js';
import { describeInBrowser, describeTourInBrowser } from './browser.js';
import { Studio } from './studio.js';

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const MORNING = {
  id: 'EveryMorning',
  type: 'Elsa.Cron',
  cronExpression: literal('String', '0 30 8 * * MON-FRI'),
  timeZone: literal('String', 'Europe/Vilnius'),
  customProperties: { canStartWorkflow: true },
};
const PAUSE = { id: 'Pause', type: 'Elsa.Delay', timeSpan: literal('TimeSpan', '2.00:00:00') };
const PLACES = ['/schedules', '/schedules?view=waiting', '/schedules?workflow=none'];

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog');
/** The list offers it as well while nothing matches. */
const clearFilters = (page: Page) =>
  page.getByRole('search', { name: 'Filters' }).getByRole('button', { name: 'Clear filters' }).click();
async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Heartbeat, EveryMinute' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function deploy(studio: Studio, definitionId: string, name: string, root: object): Promise<void> {
  const model = { definitionId, name, root };
  const { status, text } = await studio.host.call('POST', '/elsa/api/workflow-definitions', { model, publish: true });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
}

describeInBrowser('schedules in Studio', ({ it }) => {
  let studio: Studio;
  let waiting: string;
  beforeAll(async () => {
    studio = await Studio.start();
    await deploy(studio, 'morning', 'Morning report', MORNING);
    await deploy(studio, 'reminder', 'Reminder', PAUSE);
    const started = await studio.host.call('POST', '/elsa/api/workflow-definitions/reminder/execute', {
      correlationId: 'order-7',
    });
    waiting = started.json.workflowState.id;
    const at = new Date(Date.now() + 90 * 86_400_000);
    await leaveSchedules(studio.host.databaseFile, [
      { id: 'invoices/4711', at, definition: 'reminder' },
      { id: 'orders/7', at, workflowInstanceId: waiting },
    ]);
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const heartbeat = async () =>
    (await studio.host.call('GET', '/elsa/api/schedules?definitionId=heartbeat')).json.items[0];

  it('schedules in Studio show what is due when, in words, with its further times, found by workflow, kind and state', async () => {
    const page = await studio.open('/');
    await page.getByRole('region', { name: 'Due next' }).getByRole('link', { name: 'Morning report' }).waitFor();
    await page.getByRole('region', { name: 'Due next' }).getByRole('link', { name: 'All schedules' }).click();
    const morning = row(page, 'Morning report');
    await morning.getByText('At 08:30, Monday through Friday').first().waitFor();
    await morning.getByText('Europe/Vilnius').first().waitFor();
    await row(page, 'Heartbeat').getByText('Every minute').first().waitFor();
    await morning.locator('summary').click();
    const times = page.getByRole('list', { name: 'Next times of Morning report' }).getByRole('listitem');
    expect(await times.count()).toBe(5);
    await studio.picture(page, 'schedules');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Timer' }).click();
    await morning.waitFor({ state: 'detached' });
    expect(page.url()).toContain('kind=Timer');
    await clearFilters(page);
    await page.getByRole('searchbox', { name: 'Workflow id' }).fill('morning');
    await row(page, 'Heartbeat').waitFor({ state: 'detached' });
    await morning.getByRole('link', { name: 'Morning report' }).click();
    await page.getByRole('heading', { level: 1, name: 'Morning report' }).waitFor();
  });

  it('schedules in Studio pause a schedule, which then has no due time, and resume it', async () => {
    const page = await studio.open('/schedules');
    await act(page, 'Pause');
    await dialog(page).getByText('What becomes due meanwhile is left out.').waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Pause' }).click();
    await row(page, 'Heartbeat').getByText('Paused', { exact: true }).waitFor();
    expect(await heartbeat()).toMatchObject({ isPaused: true, nextTimes: [] });
    await page.goto(`${studio.host.url}/studio/schedules?state=paused`);
    await row(page, 'Heartbeat').waitFor();
    expect(await row(page, 'Morning report').count()).toBe(0);
    await act(page, 'Resume');
    await dialog(page).getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Nothing matches.').waitFor();
    expect((await heartbeat()).nextTimes).toHaveLength(5);
    await clearFilters(page);
    await row(page, 'Heartbeat').getByText('Running', { exact: true }).waitFor();
  });

  it('schedules in Studio show what the application has set in its code, beside the triggers, and find it by its origin', async () => {
    const page = await studio.open('/schedules');
    await page.getByText('triggers of published workflows, and schedules set in the code').waitFor();
    await row(page, 'Morning report').getByText('Workflow trigger', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Origin' }).click();
    await page.getByRole('option', { name: 'Application' }).click();
    await row(page, 'Morning report').waitFor({ state: 'detached' });
    expect(page.url()).toContain('origin=Application');
    const invoice = row(page, 'invoices/4711');
    await invoice.getByText('Application', { exact: true }).waitFor();
    await invoice.getByRole('link', { name: 'Reminder' }).waitFor();
    await studio.picture(page, 'schedules-application');
    expect(await studio.axe(page)).toEqual([]);
    const order = row(page, 'orders/7');
    await order.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await dialog(page)
      .getByText('If its time comes meanwhile, it fires once the pause ends. What waits for it keeps waiting.')
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await order.getByRole('link', { name: 'Resumes an instance' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toContain(`/instances/${waiting}`);
  });

  it('schedules in Studio fire one now, and lead to the instance that began', async () => {
    const page = await studio.open('/schedules');
    await act(page, 'Fire now');
    await dialog(page).getByText('It starts one instance as the schedule does').waitFor();
    await dialog(page).getByRole('button', { name: 'Fire now' }).click();
    await page.getByRole('status').getByText('Heartbeat was fired.').waitFor();
    await studio.picture(page, 'schedule-fired');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open the instance' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { json } = await studio.host.call('GET', `/elsa/api/workflow-instances/${id}`);
    expect([json.definitionId, json.subStatus]).toEqual(['heartbeat', 'Finished']);
  });

  it('schedules in Studio show the instances that wait for a time', async () => {
    const page = await studio.open('/schedules');
    await page.getByText('Waiting for a time', { exact: true }).click();
    await row(page, 'order-7').getByText('Delay', { exact: true }).waitFor();
    await studio.picture(page, 'schedules-waiting');
    expect(await studio.axe(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Instance id' }).fill('none');
    await page.getByText('Nothing matches.').waitFor();
    await clearFilters(page);
    await row(page, 'order-7').getByRole('link', { name: 'order-7' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toContain(`/instances/${waiting}`);
  });

  it.each(['light', 'dark'] as const)('break no rule of WCAG, and fit a phone, in %s colours', async (colorScheme) => {
    const page = await studio.open('/', { colorScheme, viewport: { width: 375, height: 700 } });
    for (const place of PLACES) {
      await page.goto(`${studio.host.url}/studio${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await studio.settled(page);
      await studio.picture(page, `phone-schedules-${PLACES.indexOf(place)}-${colorScheme}`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect([place, width, await studio.axe(page)]).toEqual([place, 375, []]);
    }
  });
});

describeTourInBrowser('schedules in Studio, for users who may not do everything', () => {
  const KEY = 'a-key-for-the-tests-of-schedules-00';
  const READS = ['read:schedules', 'read:workflow-definitions'];
  let studio: Studio;
  beforeAll(async () => {
    const users = [
      { name: 'mia', password: 'looks-only', permissions: READS },
      { name: 'tom', password: 'sees-nothing', permissions: ['read:workflow-definitions'] },
    ];
    studio = await Studio.start({ WAYMARK_USERS: JSON.stringify(users), WAYMARK_API_KEY: KEY });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const enter = async (name: string, password: string): Promise<Page> => {
    const page = await studio.open('/schedules');
    await page.getByLabel('User', { exact: true }).fill(name);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    return page;
  };

  it('schedules in Studio, for users who may not do everything offer no action to those who may only look', async () => {
    const page = await enter('mia', 'looks-only');
    await row(page, 'Heartbeat').waitFor();
    await page.getByText('Read only: you need the permission').waitFor();
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    expect(await studio.axe(page)).toEqual([]);
  });

  it('schedules in Studio, for users who may not do everything say so to those who may not see them', async () => {
    const page = await enter('tom', 'sees-nothing');
    await page.getByRole('alert').getByText('You do not have permission to do this.').waitFor();
    await page.getByText('You need the permission read:schedules to see schedules.').waitFor();
    expect(await studio.axe(page)).toEqual([]);
  });

  it('withdraw an action that was offered to a key with unknown permissions when the server refuses', async () => {
    const page = await studio.open('/schedules');
    await page.getByText('API key', { exact: true }).click();
    await page.getByLabel('API key', { exact: true }).last().fill(KEY);
    await page.keyboard.press('Enter');
    await row(page, 'Heartbeat').waitFor();
    await page.route('**/schedules/*/fire', (route) => route.fulfill({ status: 403 }));
    await act(page, 'Fire now');
    await dialog(page).getByRole('button', { name: 'Fire now' }).click();
    await dialog(page).getByText('You do not have permission to do this.').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Read only: you need the permission').waitFor();
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  });
});
