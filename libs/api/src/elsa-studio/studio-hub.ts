/**
 * Part of `STUDIO_SCRIPT`: the connections of the viewer to the hub. Elsa Studio opens them with the token that it was made with, and does not
 * connect again: its viewer would silently stand still from the first restart of the server.
 */
export const STUDIO_HUB = `
  const OwnSocket = window.WebSocket;
  window.WebSocket = class extends OwnSocket {
    isLeft = false;
    constructor(address, protocols) {
      const url = new URL(address, document.baseURI);
      const isOfHub = url.href.replace(/^ws/, 'http').startsWith(hub);
      if (isOfHub && token && url.searchParams.has('access_token')) url.searchParams.set('access_token', token);
      super(isOfHub ? url : address, protocols);
      if (!isOfHub) return;
      // The server says so before it closes, after which the client of SignalR closes as well.
      this.addEventListener('message', ({ data }) => {
        if (!this.isLeft && String(data).split('\\u001e').some((record) => record.startsWith('{"type":7'))) recover();
      });
      this.addEventListener('close', () => {
        if (!this.isLeft) recover();
      });
    }
    close(...reason) {
      this.isLeft = true;
      super.close(...reason);
    }
  };

  const FIRST_WAIT_MS = 1000;
  const LAST_WAIT_MS = 10000;
  let isRecovering = false;
  let recoveredAt = -LAST_WAIT_MS;
  // Shows the instance anew as soon as the server is there: a viewer opens its connections when it is made.
  const recover = async () => {
    const viewer = main.querySelector('elsa-workflow-instance-viewer');
    if (isRecovering || !viewer) return;
    isRecovering = true;
    const notice = document.querySelector('.notice');
    notice.textContent = 'The connection to the server was lost. It is made again.';
    // A server that ends each connection is not asked all the time.
    let waitMs = Math.max(FIRST_WAIT_MS, recoveredAt + LAST_WAIT_MS - performance.now());
    for (let isThere = false; !isThere && viewer.isConnected; waitMs = Math.min(2 * waitMs, LAST_WAIT_MS)) {
      await new Promise((resolve) => { setTimeout(resolve, waitMs); });
      isThere = await ownFetch(api + '/package/version').then(({ ok }) => ok, () => false);
    }
    await asking;
    notice.textContent = '';
    recoveredAt = performance.now();
    isRecovering = false;
    if (viewer.isConnected && !hasStopped) show();
  };

  // After a minute and a half, requests that wait for the server end all the same, and with them WebAssembly: only a new page helps. One
  // that stops soon after it was loaded would stop again and again.
  const SOON_MS = 30000;
  let hasStopped = false;
  addEventListener('error', async ({ message, error }) => {
    if (hasStopped || ![message, error?.name].some((text) => String(text).includes('ExitStatus'))) return;
    hasStopped = true;
    const notice = document.querySelector('.notice');
    notice.textContent = 'Elsa Studio has stopped. Reload the page.';
    if (performance.now() < SOON_MS) return;
    for (let isThere = false; !isThere;) {
      await new Promise((resolve) => { setTimeout(resolve, FIRST_WAIT_MS); });
      isThere = await ownFetch(api + '/package/version').then(({ ok }) => ok, () => false);
    }
    location.reload();
  });
`;
