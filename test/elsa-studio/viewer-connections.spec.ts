import { beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../studio/browser.js';
import { hostWith } from './hosted-component.js';

/** In the place of Elsa Studio: a viewer that opens the hub as the client of SignalR does, with the token that it was made with. */
const COMPONENTS = `
let viewers = 0;
customElements.define('elsa-workflow-definition-list', class extends HTMLElement {});
customElements.define('elsa-workflow-instance-viewer', class extends HTMLElement {
  connectedCallback() { this.connect(++viewers); }
  async connect(number) {
    const token = this.getAttribute('access-token');
    const hub = new URL('../hubs/workflow-instance', this.getAttribute('remote-endpoint') + '/').href;
    const headers = { authorization: 'Bearer ' + token };
    const { connectionToken } = await (await fetch(hub + '/negotiate?negotiateVersion=1', { method: 'POST', headers })).json();
    this.socket = new WebSocket(hub.replace('http', 'ws') + '?id=' + connectionToken + '&access_token=' + token);
    this.socket.onmessage = ({ data }) => { if (data === '{}\\u001e') this.textContent = 'Viewer ' + number + ' is connected'; };
    this.socket.onopen = () => this.socket.send('{"protocol":"json","version":1}\\u001e');
  }
});`;

const PASSWORD = 'p'.repeat(20);

describeInBrowser('connections of the viewer of Elsa Studio', () => {
  const { host, open } = hostWith(COMPONENTS, {
    WAYMARK_API_KEY: 'k'.repeat(40),
    // Without one of its own, a host that was restarted asks for a new login.
    WAYMARK_SIGNING_KEY: 's'.repeat(40),
    WAYMARK_USERS: JSON.stringify([{ name: 'ann', password: PASSWORD }]),
  });
  let page: Page;
  const sockets: string[] = [];
  const notice = () => page.locator('.notice');

  beforeEach(async () => {
    sockets.length = 0;
    page = await open('#/instances/one');
    page.on('websocket', (socket) => sockets.push(socket.url()));
    await page.getByPlaceholder('username').fill('ann');
    await page.getByPlaceholder('password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Viewer 1 is connected').waitFor();
  });

  it('connections of the viewer are made again by a new viewer when the server was restarted', async () => {
    await host.kill();
    await notice().getByText('The connection to the server was lost.').waitFor();
    await host.start();
    await page.getByText('Viewer 2 is connected').waitFor();
    expect(await notice().textContent()).toBe('');
  });

  it('connections of the viewer are made again when the server has ended them before it stopped', async () => {
    await host.end('SIGTERM');
    await host.start();
    await page.getByText('Viewer 2 is connected').waitFor();
  });

  it('connections of the viewer are not made again when it has closed them itself', async () => {
    await page.evaluate(`(async () => {
      const { socket } = document.querySelector('elsa-workflow-instance-viewer');
      const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
      socket.close();
      await closed;
    })()`);
    expect(await notice().textContent()).toBe('');
  });

  it('connections of the viewer are opened with the renewed token, which it does not know', async () => {
    await page.evaluate(`(() => {
      const viewer = document.querySelector('elsa-workflow-instance-viewer');
      viewer.setAttribute('access-token', 'outdated');
      viewer.connect(5);
    })()`);
    await page.getByText('Viewer 5 is connected').waitFor();
    const token = await page.evaluate<string>("sessionStorage.getItem('waymark-studio-token')");
    expect(new URL(sockets.at(-1)!).searchParams.get('access_token')).toBe(token);
  });
});
