import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { designerOf, flowchart, line } from './designer.js';
import { Studio } from './studio.js';

const KEY = 'a-key-for-the-tests-of-studio-000';
const USERS = [
  { name: 'mia', password: 'right-password', permissions: ['*'] },
  { name: 'ron', password: 'other-password', permissions: ['*'] },
];

describeInBrowser('a login to Studio that ends in the middle of something', ({ it }) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start({ WAYMARK_USERS: JSON.stringify(USERS), WAYMARK_API_KEY: KEY });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { canvas, node, properties, saved } = designerOf(() => studio);
  const logIn = async (page: Page, user: string, password: string) => {
    await page.getByLabel('User', { exact: true }).fill(user);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
  };
  const openAs = async (address: string, user: string, password: string) => {
    const page = await studio.open(address);
    await logIn(page, user, password);
    return page;
  };
  /** Of the API, by its token: it has ended, and no other can be had for it. */
  const expire = async (page: Page) => {
    await page.route('**/elsa/api/**', (route) =>
      route.request().url().endsWith('/login') ? route.fallback() : route.fulfill({ status: 401, json: {} }),
    );
  };
  const login = (page: Page) => page.getByRole('dialog', { name: 'Log in' });
  const form = (page: Page) => page.getByRole('dialog', { name: 'New workflow' });

  it('is kept when the server cannot renew it at the moment', async () => {
    const page = await openAs('/workflows', 'mia', 'right-password');
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    for (const status of [503, 429, 'none'] as const) {
      const renewed = page.waitForRequest('**/identity/refresh-token');
      await page.route(
        '**/identity/refresh-token',
        (route) => (status === 'none' ? route.abort() : route.fulfill({ status })),
        {
          times: 1,
        },
      );
      await page.route('**/workflow-definitions?*', (route) => route.fulfill({ status: 401 }), { times: 1 });
      await page.reload();
      await renewed;
      await studio.settled(page);
      expect([status, await page.getByRole('heading', { name: 'Log in' }).count()]).toEqual([status, 0]);
      expect(await page.evaluate('Object.keys(localStorage).some((name) => name.startsWith("waymark-studio:"))')).toBe(
        true,
      );
    }
    await page.reload();
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
  });

  it('is asked for on top of a form, which is as it was after it', async () => {
    const page = await openAs('/workflows', 'mia', 'right-password');
    await page.getByRole('button', { name: 'New workflow' }).click();
    await form(page).getByLabel('Name', { exact: true }).fill('Half done');
    await expire(page);
    await form(page).getByRole('button', { name: 'Create' }).click();
    await login(page).getByText('Your login has expired.').waitFor();
    expect(await studio.axe(page)).toEqual([]);
    await studio.picture(page, 'login-on-top');
    // Neither closes the form behind, nor opens anything there.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const [user, password] = [
      login(page).getByLabel('User', { exact: true }),
      login(page).getByLabel('Password', { exact: true }),
    ];
    expect(await user.inputValue()).toBe('mia');
    expect(await password.evaluate((shown) => shown === document.activeElement)).toBe(true);
    await password.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The user or the password is wrong.').waitFor();
    await page.unroute('**/elsa/api/**');
    await password.fill('right-password');
    await page.keyboard.press('Enter');
    await login(page).waitFor({ state: 'detached' });
    expect(await form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Half done');
    await form(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Half done' }).waitFor();
    // Whatever was refused meanwhile is there, and live again.
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('is asked for on top of the designer, which saves after it', async () => {
    const model = { definitionId: 'kept', name: 'kept', root: flowchart([line('A', 60), line('B', 400)]) };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model }, { authorization: `ApiKey ${KEY}` });
    const page = await openAs('/workflows/kept', 'mia', 'right-password');
    await node(page, 'A').waitFor();
    await expire(page);
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Not lost');
    await login(page).waitFor();
    await page.unroute('**/elsa/api/**');
    await logIn(page, 'mia', 'right-password');
    await login(page).waitFor({ state: 'detached' });
    await saved(page);
    await studio.settled(page);
    // The same page as before, not one that was begun anew with what the browser has kept: what was done can be taken back.
    expect(await page.getByText('Changes that had not been saved are here again.').count()).toBe(0);
    await canvas(page).focus();
    await page.keyboard.press('Control+z');
    expect(await properties(page).getByRole('textbox', { name: 'Name' }).inputValue()).toBe('kept');
    await saved(page);
  });

  it('is followed by another person, in whose name nothing of the drawing is saved', async () => {
    const model = { definitionId: 'of-mia', name: 'of-mia', root: flowchart([line('A', 60)]) };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model }, { authorization: `ApiKey ${KEY}` });
    const page = await openAs('/workflows/of-mia', 'mia', 'right-password');
    await node(page, 'A').waitFor();
    await expire(page);
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Drawn by Mia');
    await login(page).waitFor();
    await page.unroute('**/elsa/api/**');
    const saves: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/workflow-definitions')) saves.push(request.url());
    });
    await login(page).getByLabel('User', { exact: true }).fill('ron');
    await logIn(page, 'ron', 'other-password');
    await login(page).waitFor({ state: 'detached' });
    await node(page, 'A').waitFor();
    await studio.settled(page);
    expect(await properties(page).getByRole('textbox', { name: 'Name' }).inputValue()).toBe('of-mia');
    expect(saves).toEqual([]);
    // To Mia it comes back.
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await logIn(page, 'mia', 'right-password');
    await page.getByText('Changes that had not been saved are here again.').waitFor();
    expect(await properties(page).getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Drawn by Mia');
    await saved(page);
  });

  it('a login to Studio that ends with the tab leaves what was drawn to the same person, and not to another', async () => {
    const model = { definitionId: 'left', name: 'left', root: flowchart([line('A', 60)]) };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model }, { authorization: `ApiKey ${KEY}` });
    const page = await openAs('/workflows/left', 'mia', 'right-password');
    await node(page, 'A').waitFor();
    await expire(page);
    await properties(page).getByRole('textbox', { name: 'Name' }).fill('Not lost');
    await login(page).waitFor();
    // A new tab: the old one has gone at the question for the login.
    const { context, url } = { context: page.context(), url: page.url() };
    await page.unroute('**/elsa/api/**');
    await page.close();
    const name = async (user: string, password: string) => {
      const next = await context.newPage();
      await next.goto(url);
      await logIn(next, user, password);
      await node(next, 'A').waitFor();
      const field = properties(next).getByRole('textbox', { name: 'Name' });
      return { next, shown: await field.inputValue() };
    };
    const ron = await name('ron', 'other-password');
    expect(ron.shown).toBe('left');
    await ron.next.getByRole('button', { name: 'Log out' }).click();
    await ron.next.getByRole('heading', { name: 'Log in' }).waitFor();
    await ron.next.close();
    const mia = await name('mia', 'right-password');
    expect(mia.shown).toBe('Not lost');
    await saved(mia.next);
  });

  it('is followed by another person, who sees nothing of the form', async () => {
    const page = await openAs('/workflows', 'mia', 'right-password');
    await page.getByRole('button', { name: 'New workflow' }).click();
    await form(page).getByLabel('Name', { exact: true }).fill('Of Mia');
    await expire(page);
    await form(page).getByRole('button', { name: 'Create' }).click();
    await login(page).waitFor();
    await page.unroute('**/elsa/api/**');
    await logIn(page, 'ron', 'other-password');
    await login(page).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    // That it is open is in the address; what was in it is not.
    expect(await form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('');
    await page.getByText('ron', { exact: true }).waitFor();
  });

  it('a session of the application that ends is asked for in another tab, and the page is as it was after it', async () => {
    let isIn = true;
    const page = await studio.openAlone('/settings');
    await page.route('**/studio/workflows', async (route) => {
      const answer = await route.fetch();
      const own = '{&quot;loginUrl&quot;:&quot;/own-login&quot;,&quot;base&quot;';
      await route.fulfill({ response: answer, body: (await answer.text()).replace('{&quot;base&quot;', own) });
    });
    await page.route('**/elsa/api/**', (route) =>
      isIn
        ? route.continue({ headers: { ...route.request().headers(), authorization: `ApiKey ${KEY}` } })
        : route.fulfill({ status: 401, json: {} }),
    );
    await page.goto(`${studio.host.url}/studio/workflows`);
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    await page.getByRole('button', { name: 'New workflow' }).click();
    await form(page).getByLabel('Name', { exact: true }).fill('Half filled in');
    isIn = false;
    await form(page).getByRole('button', { name: 'Create' }).click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByRole('link', { name: 'Log in in a new tab' }).waitFor();
    const popup = page.waitForEvent('popup');
    await studio.picture(page, 'session-ended');
    expect(await studio.axe(page)).toEqual([]);
    await ended.getByRole('link', { name: 'Log in in a new tab' }).click();
    const tab = await popup;
    expect(new URL(tab.url()).searchParams.get('returnUrl')).toBe(page.url());
    await tab.close();
    isIn = true;
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await ended.waitFor({ state: 'detached' });
    expect(await form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Half filled in');
  });

  it('a session of the application that another person has is not that of the one before, who may not even know', async () => {
    const model = { definitionId: 'own', name: 'own', root: flowchart([line('A', 60)]) };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model }, { authorization: `ApiKey ${KEY}` });
    const tokenOf = async ({ name: username, password }: { name: string; password: string }) =>
      (await studio.host.call('POST', '/elsa/api/identity/login', { username, password })).json.accessToken as string;
    const [mia, ron] = [await tokenOf(USERS[0]!), await tokenOf(USERS[1]!)];
    let token: string | undefined = mia;
    const saves: string[] = [];
    const page = await studio.openAlone('/settings');
    await page.route('**/studio/workflows/own', async (route) => {
      const answer = await route.fetch();
      const own = '{&quot;loginUrl&quot;:&quot;/own-login&quot;,&quot;base&quot;';
      await route.fulfill({ response: answer, body: (await answer.text()).replace('{&quot;base&quot;', own) });
    });
    await page.route('**/elsa/api/**', (route) => {
      if (token === undefined) return route.fulfill({ status: 401, json: {} });
      const request = route.request();
      if (request.method() === 'POST' && request.url().endsWith('/workflow-definitions')) saves.push(token);
      return route.continue({ headers: { ...request.headers(), authorization: `Bearer ${token}` } });
    });
    const name = properties(page).getByRole('textbox', { name: 'Name' });
    const comesBack = () => page.evaluate('window.dispatchEvent(new Event("focus"))');
    await page.goto(`${studio.host.url}/studio/workflows/own`);
    await node(page, 'A').waitFor();
    token = undefined;
    await name.fill('Drawn by Mia');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    token = ron;
    await comesBack();
    await ended.waitFor({ state: 'detached' });
    await node(page, 'A').waitFor();
    await studio.settled(page);
    expect([await name.inputValue(), saves]).toEqual(['own', []]);
    // To Mia it comes back, also where Ron's session was replaced by hers in another tab.
    token = mia;
    await comesBack();
    await page.getByText('Changes that had not been saved are here again.').waitFor();
    expect(await name.inputValue()).toBe('Drawn by Mia');
    await saved(page);
    expect(saves).toEqual([mia]);
  });

  it('is ended in all tabs when the person logs out in one', async () => {
    const page = await openAs('/workflows', 'mia', 'right-password');
    await page.getByRole('link', { name: 'Heartbeat' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${studio.host.url}/studio/instances`);
    await other.getByRole('heading', { level: 1, name: 'Instances' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await other.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await other.getByRole('heading', { name: 'Instances' }).count()).toBe(0);
    expect(await login(other).count()).toBe(0);
  });
});
