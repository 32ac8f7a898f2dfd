import { beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../studio/browser.js';
import { hostWith } from './hosted-component.js';

/** In the place of Elsa Studio: a component that asks when it is shown, and when it is clicked. What is tested is the page around it. */
const COMPONENT = `customElements.define('elsa-workflow-definition-list', class extends HTMLElement {
  connectedCallback() {
    this.onclick = () => this.load();
    this.load();
  }
  async load() {
    const authorization = 'Bearer ' + this.getAttribute('access-token');
    const ask = () => fetch(this.getAttribute('remote-endpoint') + '/workflow-definitions', { headers: { authorization } });
    const answers = await Promise.all([ask(), ask()]);
    this.textContent = 'Answers: ' + answers.map(({ status }) => status).join(' ');
  }
});`;

const PASSWORD = 'p'.repeat(20);

describeInBrowser('the login of Elsa Studio', () => {
  const { host, open } = hostWith(COMPONENT, {
    WAYMARK_API_KEY: 'k'.repeat(40),
    WAYMARK_USERS: JSON.stringify(['ann', 'bob'].map((name) => ({ name, password: PASSWORD }))),
  });
  let page: Page;
  const component = () => page.locator('elsa-workflow-definition-list');

  beforeEach(async () => {
    page = await open();
    await logIn();
    await component().getByText('Answers: 200 200').waitFor();
  });
  async function logIn(name = 'ann'): Promise<void> {
    await page.getByPlaceholder('username').fill(name);
    await page.getByPlaceholder('password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
  }
  /** As the server answers those whose token has ended. */
  const refuse = (route: string, times: number, status = 401) =>
    page.route(`**/elsa/api/${route}`, (refused) => refused.fulfill({ status }), { times });

  it('is renewed when its token has expired, once for concurrent requests, and after the page is reloaded', async () => {
    const renewals: string[] = [];
    page.on('request', (request) => request.url().endsWith('/identity/refresh-token') && renewals.push(request.url()));
    await refuse('workflow-definitions', 2);
    await component().evaluate((shown) => (shown.textContent = ''));
    await component().dispatchEvent('click');
    await component().getByText('Answers: 200 200').waitFor();
    expect(renewals).toHaveLength(1);
    await refuse('features/installed', 1);
    await page.reload();
    await component().getByText('Answers: 200 200').waitFor();
    expect(renewals).toHaveLength(2);
  });

  it('is renewed once when the last refusal comes after the renewal, whose tokens are those of the same second', async () => {
    const [accessToken, refreshToken] = await page.evaluate<string[]>(
      `['token', 'refresh'].map((name) => sessionStorage.getItem('waymark-studio-' + name))`,
    );
    let renewals = 0;
    await page.route('**/elsa/api/identity/refresh-token', (route) => {
      renewals++;
      return route.fulfill({ json: { accessToken, refreshToken } });
    });
    let asked = 0;
    let repeat!: () => void;
    const repeated = new Promise<void>((resolve) => (repeat = resolve));
    await page.route('**/elsa/api/workflow-definitions', async (route) => {
      const turn = ++asked;
      // The third is the first one, sent again: the page has its new token.
      if (turn > 2) {
        repeat();
        return route.continue();
      }
      if (turn === 2) await repeated;
      return route.fulfill({ status: 401 });
    });
    await component().evaluate((shown) => (shown.textContent = ''));
    await component().dispatchEvent('click');
    await component().getByText('Answers: 200 200').waitFor();
    expect(renewals).toBe(1);
  });

  it.each([429, 503])('is kept when the server answers its renewal with %d', async (status) => {
    await refuse('workflow-definitions', 2);
    await refuse('identity/refresh-token', 2, status);
    await component().dispatchEvent('click');
    await component().getByText('Answers: 401 401').waitFor();
    expect(await page.getByText('Your login has ended.').count()).toBe(0);
    await page.unroute('**/elsa/api/identity/refresh-token');
    await component().dispatchEvent('click');
    await component().getByText('Answers: 200 200').waitFor();
  });

  it('requires a new login when it cannot be renewed, after which the page continues', async () => {
    await refuse('workflow-definitions', 2);
    await refuse('identity/refresh-token', 1);
    await component().dispatchEvent('click');
    await page.getByText('Your login has ended.').waitFor();
    // The form stays, whatever a person clicks, and the page is not loaded again.
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    await page.getByRole('link', { name: 'Instances' }).click();
    await page.getByRole('link', { name: 'Definitions' }).click();
    await page.getByText('Your login has ended.').waitFor();
    await logIn();
    await component().getByText('Answers: 200 200').waitFor();
    expect(page.url()).toBe(`${host.url}/elsa-studio/#/definitions`);
    expect(loads).toEqual([]);
    await refuse('features/installed', 1);
    await refuse('identity/refresh-token', 1);
    await page.reload();
    await page.getByText('Your login has ended.').waitFor();
  });

  it('is asked for over the component, which then gets what was refused', async () => {
    await component().evaluate((shown) => (shown.textContent = 'Not saved yet'));
    await refuse('workflow-definitions', 2);
    await refuse('identity/refresh-token', 1);
    await component().evaluate((shown) => (shown.dataset.edited = 'yes'));
    await component().dispatchEvent('click');
    await page.getByText('Your login has ended.').waitFor();
    expect(await component().textContent()).toBe('Not saved yet');
    // What is asked for while the form is there waits as well.
    await component().dispatchEvent('click');
    await page.getByPlaceholder('password').fill('mistyped');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Wrong user or password.').waitFor();
    await logIn();
    await component().getByText('Answers: 200 200').waitFor();
    expect(await component().getAttribute('data-edited')).toBe('yes');
  });

  it('begins with a new page when another person logs in', async () => {
    await component().evaluate((shown) => (shown.dataset.edited = 'yes'));
    await refuse('workflow-definitions', 2);
    await refuse('identity/refresh-token', 1);
    await component().dispatchEvent('click');
    await page.getByText('Your login has ended.').waitFor();
    const loaded = page.waitForEvent('load');
    await logIn('bob');
    await loaded;
    await component().getByText('Answers: 200 200').waitFor();
    expect(await component().getAttribute('data-edited')).toBeNull();
  });

  it('ends when the person logs out, for whom there is a button only while logged in', async () => {
    const button = page.getByRole('button', { name: 'Log out' });
    await button.click();
    await page.getByPlaceholder('username').waitFor();
    expect(await button.count()).toBe(0);
    expect(await component().count()).toBe(0);
    await page.reload();
    await page.getByPlaceholder('username').waitFor();
    await logIn();
    await component().getByText('Answers: 200 200').waitFor();
    expect(await button.isVisible()).toBe(true);
  });
});
