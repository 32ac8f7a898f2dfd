import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../studio/browser.js';
import { hostWith } from './hosted-component.js';

/** In the place of Elsa Studio: the links of its viewer, which expect that it is an application at the root of a server. */
const COMPONENTS = `
const define = (name, html) => customElements.define(name, class extends HTMLElement {
  connectedCallback() { this.innerHTML = html; }
});
define('elsa-workflow-definition-list', 'List of definitions');
define('elsa-workflow-instance-list', 'List of instances');
// As a list does when it is searched, and as WebAssembly keeps the address.
globalThis.search = (text) => history.replaceState({}, '', location.pathname + '?search=' + text);
addEventListener('popstate', () => { globalThis.heard = location.href; });
define('elsa-workflow-definition-editor', '<nav>Editor</nav>');
// As its menu items do.
globalThis.leaveTo = (address) => history.pushState({}, '', address);
define('elsa-workflow-instance-viewer',
  '<a href="alterations/instances/one">Alter</a>' +
  '<table><tr><td>Definition</td><td><a href="/workflows/definitions/my%20order/edit"><b>my order</b></a></td></tr>' +
  '<tr><td>Logs</td><td><a href="/diagnostics/structured-logs?workflowInstanceId=one">Open logs</a></td></tr>' +
  '<tr><td>Invoice</td><td><a href="/files/invoice.pdf">invoice.pdf</a></td></tr></table>');
`;

describeInBrowser('links of Elsa Studio', () => {
  const { host, open } = hostWith(COMPONENTS);
  let page: Page;
  const loads: string[] = [];

  beforeEach(async () => {
    page = await open('#/instances/one');
    await page.getByText('my order').waitFor();
    page.on('load', () => loads.push(page.url()));
  });
  afterEach(() => void loads.splice(0));

  it('a link to a definition opens its editor without a reload', async () => {
    await page.getByText('my order').click();
    await page.getByText('Editor').waitFor();
    expect(page.url()).toBe(`${host.url}/elsa-studio/#/definitions/my%20order`);
    expect(loads).toEqual([]);
  });

  it('links of Elsa Studio inside of components have the colours of the components', async () => {
    await page.getByText('my order').click();
    const path = page.getByText('Editor');
    const colour = await path.evaluate((shown) => getComputedStyle(shown).backgroundColor);
    expect(colour).toBe('rgba(0, 0, 0, 0)');
  });

  it('a link to a definition opens its editor by keys and in a new tab', async () => {
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByText('my order').click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.getByText('Editor').waitFor();
    expect(tab.url()).toBe(`${host.url}/elsa-studio/#/definitions/my%20order`);
    await page.getByRole('link', { name: 'my order' }).press('Enter');
    await page.getByText('Editor').waitFor();
    expect(loads).toEqual([]);
  });

  it('links of Elsa Studio to the page at which an instance is altered open it in Waymark Studio, those of menus as well', async () => {
    const target = `${host.url}/studio/instances/one`;
    const link = page.getByRole('link', { name: 'Alter' });
    expect(await link.getAttribute('href')).toBe('/studio/instances/one');
    await page.evaluate("leaveTo('alterations/instances/one')");
    await page.waitForURL(target);
  });

  it('links to other pages do not take the query of a list along, and going back does', async () => {
    await page.getByRole('link', { name: 'Definitions' }).click();
    await page.getByText('List of definitions').waitFor();
    await page.evaluate("search('leave')");
    const searched = `${host.url}/elsa-studio/?search=leave#/definitions`;
    expect(page.url()).toBe(searched);
    await page.getByRole('link', { name: 'Instances' }).click();
    await page.getByText('List of instances').waitFor();
    const instances = `${host.url}/elsa-studio/#/instances`;
    expect([page.url(), await page.evaluate('heard')]).toEqual([instances, instances]);
    await page.goBack();
    await page.getByText('List of definitions').waitFor();
    expect([page.url(), await page.evaluate('heard')]).toEqual([searched, searched]);
    expect(loads).toEqual([]);
  });

  it('links to missing rooms are not shown, and menus say so', async () => {
    await page.evaluate("leaveTo('diagnostics/structured-logs')");
    await page.getByRole('status').getByText('This part of Elsa Studio is not available here.').waitFor();
    expect(page.url()).toBe(`${host.url}/elsa-studio/#/instances/one`);
    expect(await page.getByText('Logs', { exact: true }).isVisible()).toBe(false);
    expect(await page.getByText('Definition', { exact: true }).isVisible()).toBe(true);
  });

  it('links to other pages of the application stay unchanged', async () => {
    const link = page.getByRole('link', { name: 'invoice.pdf' });
    expect(await link.isVisible()).toBe(true);
    expect(await link.getAttribute('href')).toBe('/files/invoice.pdf');
  });
});
