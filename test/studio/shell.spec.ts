import { describeInBrowser, describeTourInBrowser } from './browser.js';
import { literal } from './designer.js';
import { goTo, Studio } from './studio.js';

const ROOMS = ['Home', 'Workflows', 'Instances', 'Tasks', 'Schedules', 'Dead letters', 'Audit trail', 'Settings'];
/** With their headings. */
const PLACES = [
  ['/', 'Home'],
  ['/workflows', 'Workflows'],
  ['/instances', 'Instances'],
  ['/tasks', 'Tasks'],
  ['/schedules', 'Schedules'],
  ['/dead-letters', 'Dead letters'],
  ['/audit', 'Audit trail'],
  ['/settings', 'Settings'],
  ['/nowhere', 'This page does not exist.'],
] as const;

describeInBrowser('the frame of Studio, on an open host', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  it('leads a person from room to room, and each address back to its room', async () => {
    const page = await studio.open('/');
    for (const room of ROOMS) {
      await page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name: room, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: room }).waitFor();
    }
    const address = page.url();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(page.url()).toBe(address);
    expect(await page.title()).toBe('Settings · Waymark Studio');
  });

  it('is used by the keyboard alone: skip to the content, go anywhere, choose, leave', async () => {
    const page = await studio.open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Go anywhere' });
    await search.waitFor();
    await page.keyboard.type('heart');
    await page.getByRole('option', { name: /Heartbeat/ }).waitFor();
    await studio.picture(page, 'palette');
    expect(await studio.axe(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Heartbeat' }).waitFor();
    await page.keyboard.press('Control+k');
    await search.waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });
  });

  it('has no violation of WCAG on any page, in light and in dark colours', async () => {
    const page = await studio.open('/', { colorScheme: 'light' });
    for (const [place, heading] of PLACES) {
      await goTo(page, place);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await studio.settled(page);
      expect(await studio.axeInBothColours(page, `room-${place.slice(1)}`)).toEqual([]);
    }
  });

  it('keeps the colours that a person chose', async () => {
    const page = await studio.open('/', { colorScheme: 'light' });
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark');
  });

  it('works where the browser allows no storage, and where what is stored is damaged', async () => {
    for (const script of [
      `for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get() { throw new DOMException('No.', 'SecurityError'); } })`,
      "localStorage.setItem('waymark-studio:/studio/', '{'); localStorage.setItem('waymark-studio:/studio', '{')",
    ]) {
      const page = await studio.openAlone('/settings');
      await page.addInitScript(script);
      await page.goto(`${studio.host.url}/studio/workflows`);
      await page.getByRole('link', { name: 'Heartbeat' }).first().click();
      await page.locator('.react-flow__node').first().waitFor();
      await studio.settled(page);
    }
  });

  it('says on the front page when there are more than were counted', async () => {
    const page = await studio.open('/settings');
    await page.route('**/outbox/dead-letters', (route) =>
      route.fulfill({ json: { items: [], totalCount: 10_000, isTotalLowerBound: true } }),
    );
    await page.goto(`${studio.host.url}/studio/`);
    await page.getByRole('link', { name: 'Dead letters 10,000+' }).waitFor();
  });

  it('fits a phone: the rooms open by a button, and nothing is wider than the screen', async () => {
    const page = await studio.open('/workflows', { viewport: { width: 375, height: 700 } });
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await studio.picture(page, 'phone-workflows');
    await page.getByRole('button', { name: 'Open the navigation' }).click();
    await page.getByRole('link', { name: 'Instances', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Instances' }).waitFor();
    await studio.picture(page, 'phone-instances');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    expect(await studio.axe(page)).toEqual([]);
  });

  it('says what is wrong when the server is gone, and continues when it is back', async () => {
    const page = await studio.open('/workflows');
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    await page.route('**/elsa/api/**', (route) => route.abort());
    await page.getByRole('searchbox').fill('hello');
    await page.getByText('The server does not answer.').waitFor();
    await studio.picture(page, 'no-server');
    expect(await studio.axe(page)).toEqual([]);
    await page.unroute('**/elsa/api/**');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('link', { name: 'Hello' }).waitFor();
  });

  it('keeps what it shows while the server is gone, says that it may be old, and asks again by itself', async () => {
    const page = await studio.open('/workflows?q=heart');
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    await page.route('**/elsa/api/**', (route) => route.fulfill({ status: 503 }));
    // The stream of updates is open: the page learns of a change, and asks.
    const root = { id: 'Line', type: 'Elsa.WriteLine' };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model: { name: 'Heart', root } });
    await page.getByText('The server cannot answer now. What you see may be out of date.').waitFor();
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await studio.picture(page, 'outage');
    expect(await studio.axe(page)).toEqual([]);
    await page.unroute('**/elsa/api/**');
    await page.getByRole('link', { name: 'Heart', exact: true }).waitFor();
    await page.getByText('What you see may be out of date.').waitFor({ state: 'detached' });
  });

  it('stays on the page when the files of a room do not load, and opens the room when the server is back', async () => {
    const page = await studio.open('/workflows');
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    await page.route('**/*', (route) => route.abort());
    const rooms = page.getByRole('navigation', { name: 'Rooms' });
    // Files of rooms are asked for before a click; a page that is only looked at stays as it is.
    const asked = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/'));
    await rooms.getByRole('link', { name: 'Settings' }).hover();
    await asked;
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    await rooms.getByRole('link', { name: 'Instances', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'This page could not be loaded.' }).waitFor();
    await page.getByRole('alert').getByText('The server does not answer.').waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByRole('status').getByText('The server does not answer.').first().waitFor();
    await page.unroute('**/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Instances' }).waitFor();
  });

  it('says so when what lays out a picture does not load, and draws it on the next try', async () => {
    const page = await studio.open('/');
    // Neither a line, which needs no engine, nor drawn.
    const waits = (id: string) => ({ id, type: 'Elsa.Event', eventName: literal('String', id) });
    const root = { id: 'All', type: 'Elsa.Parallel', activities: [waits('One'), waits('Two')] };
    const model = { definitionId: 'beside', name: 'Beside', root };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model, publish: true });
    await studio.host.call('POST', '/elsa/api/workflow-definitions/beside/execute', {});
    await page.route('**/assets/elk-worker*', (route) => route.abort());
    await goTo(page, '/workflows/beside/standing');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await page.unroute('**/assets/elk-worker*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.react-flow__node').first().waitFor();
  });

  it('is loaded again once when the server has another version of it', async () => {
    const page = await studio.open('/workflows');
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    await page.route('**/assets/instances-page*', (route) => route.fulfill({ status: 404 }));
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Instances', exact: true }).click();
    await loaded;
    await page.getByText('Studio has been updated on the server.').waitFor();
    await page.unroute('**/assets/instances-page*');
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Instances' }).waitFor();
  });
});

describeTourInBrowser('the frame of Studio, on a host with users and a key', () => {
  const ENV = {
    WAYMARK_USERS: JSON.stringify([
      { name: 'mia', password: 'right-password', roles: ['lead', 'clerk'] },
      { name: 'ron', password: 'reads-definitions', permissions: ['read:workflow-definitions'] },
    ]),
    WAYMARK_API_KEY: 'a-key-for-the-tests-of-studio-000',
  };
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start(ENV);
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  it('asks for a login, opens the requested page, and logs out on demand', async () => {
    const page = await studio.open('/workflows?q=heart');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await page.getByLabel('User', { exact: true }).fill('mia');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The user or the password is wrong.').waitFor();
    await studio.picture(page, 'login');
    await page.getByLabel('Password', { exact: true }).fill('right-password');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    expect(await page.getByRole('link', { name: 'Hello' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    // The token has ended: the pages get another one, and nobody notices.
    // Left before: a live update could ask for the list, and the page be gone before it has asked for another token.
    const url = page.url();
    await page.goto('about:blank');
    const refreshed = page.waitForResponse('**/identity/refresh-token');
    await page.route('**/workflow-definitions?*', (route) => route.fulfill({ status: 401 }), { times: 1 });
    await page.goto(url);
    expect((await refreshed).status()).toBe(200);
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  it('shows a workflow to a person who may read it and no descriptors of activities', async () => {
    const page = await studio.open('/workflows/heartbeat');
    await page.getByLabel('User', { exact: true }).fill('ron');
    await page.getByLabel('Password', { exact: true }).fill('reads-definitions');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Heartbeat' }).waitFor();
    await page.getByText('You may look at this workflow.').waitFor();
    await page.locator('.react-flow__node').filter({ hasText: 'EveryMinute' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'picture-only');
  });

  it('shows the users of the server to a person who may know them, and to others the settings without them', async () => {
    const logIn = async (user: string, password: string) => {
      const page = await studio.open('/settings');
      await page.getByLabel('User', { exact: true }).fill(user);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      return page;
    };
    const page = await logIn('mia', 'right-password');
    const users = page.getByRole('table', { name: 'Users' });
    await users.getByRole('row').filter({ hasText: 'logged in here' }).getByText('lead, clerk').waitFor();
    await users.getByRole('row').filter({ hasText: 'ron' }).getByText('None').waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'settings-users');
    const other = await logIn('ron', 'reads-definitions');
    await other.getByRole('heading', { level: 2, name: 'Installed features' }).waitFor();
    await studio.settled(other);
    expect(await other.getByRole('heading', { level: 2, name: 'Users' }).count()).toBe(0);
  });

  it('takes an API key as well', async () => {
    const page = await studio.open('/workflows');
    await page.getByText('API key', { exact: true }).click();
    await page.getByLabel('API key', { exact: true }).last().fill('another');
    await page.keyboard.press('Enter');
    await page.getByText('The API key is not valid.').waitFor();
    await page.getByLabel('API key', { exact: true }).last().fill(ENV.WAYMARK_API_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
  });
});
