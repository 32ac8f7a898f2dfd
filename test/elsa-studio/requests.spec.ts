import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../studio/browser.js';
import { hostWith } from './hosted-component.js';

/** In the place of Elsa Studio: a component by which the test asks as the real ones do, whose bodies are bytes. */
const COMPONENT = `customElements.define('elsa-workflow-definition-list', class extends HTMLElement {
  connectedCallback() { this.textContent = 'Ready'; }
});
window.askOptions = async (context) => {
  const body = new TextEncoder().encode(JSON.stringify({ context }));
  const headers = { 'content-type': 'application/json' };
  const url = '/elsa/api/descriptors/activities/Elsa.HttpEndpoint/options/Path';
  const answer = await fetch(url, { method: 'POST', headers, body });
  return answer.status + ' ' + Object.keys((await answer.json()).items ?? {}).join();
};`;

describeInBrowser('requests of Elsa Studio', () => {
  const { host, open } = hostWith(COMPONENT);
  let page: Page;
  const asked: string[] = [];
  const options = (...contexts: readonly string[]) =>
    page.evaluate<string[]>(`Promise.all(${JSON.stringify(contexts)}.map(askOptions))`);

  beforeEach(async () => {
    page = await open();
    await page.getByText('Ready').waitFor();
    asked.length = 0;
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)!));
  });

  it('Elsa Studio asks once for the options of an input while nothing has changed', async () => {
    const answer = '200 singleline,Refresh';
    expect(await options('a', 'a', 'a', 'b')).toEqual([answer, answer, answer, answer]);
    expect(await options('a')).toEqual([answer]);
    expect(asked).toEqual(['Path', 'Path']);
  });

  it('Elsa Studio asks again for options that were refused', async () => {
    await page.route('**/options/Path', (refused) => refused.fulfill({ status: 429, json: {} }), { times: 1 });
    expect(await options('a')).toEqual(['429 ']);
    expect(await options('a')).toEqual(['200 singleline,Refresh']);
  });

  it('a definition that was never drawn is answered with places of its activities', async () => {
    const line = (id: string) => ({ id, type: 'Elsa.WriteLine', version: 1 });
    const root = { id: 'Flow', type: 'Elsa.Flowchart', activities: [line('A'), line('B')] };
    await host.call('POST', '/elsa/api/workflow-definitions/import', { definitionId: 'undrawn', root });
    const read = (route: string) =>
      page.evaluate<{ root: { activities: { metadata: unknown }[] } }>(
        `fetch('/elsa/api/workflow-definitions/${route}').then((answer) => answer.json())`,
      );
    const shown = await read('by-definition-id/undrawn?versionOptions=Latest');
    expect(shown.root.activities.map(({ metadata }) => metadata)).toEqual([
      { designer: { position: { x: 100, y: 100 } } },
      { designer: { position: { x: 100, y: 220 } } },
    ]);
    const file = await read('undrawn/export');
    expect(file.root.activities.map(({ metadata }) => metadata)).toEqual([{}, {}]);
  });

  it('an imported definition is answered with places of its activities', async () => {
    const line = (id: string) => ({ id, type: 'Elsa.WriteLine', version: 1 });
    const root = { id: 'Flow', type: 'Elsa.Flowchart', activities: [line('A'), line('B')] };
    const request = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ definitionId: 'replaced', root });
    const shown = await page.evaluate<{ root: { activities: { metadata: unknown }[] } }>(
      `fetch('/elsa/api/workflow-definitions/import', ${JSON.stringify({ ...request, body })}).then((answer) => answer.json())`,
    );
    expect(shown.root.activities.map(({ metadata }) => metadata)).toEqual([
      { designer: { position: { x: 100, y: 100 } } },
      { designer: { position: { x: 100, y: 220 } } },
    ]);
  });

  it('a cancellation of all instances of a definition concerns those of its versions before a draft', async () => {
    const wait = { id: 'Wait', type: 'Elsa.Event', version: 1 };
    const save = async (name: string, publish: boolean) => {
      const model = { definitionId: 'cancelled', name, root: wait };
      const { json } = await host.call('POST', '/elsa/api/workflow-definitions', { model, publish });
      return json.workflowDefinition.id as string;
    };
    await save('Published', true);
    const started = await host.call('POST', '/elsa/api/workflow-definitions/cancelled/execute', {});
    const draft = await save('Draft', false);
    const cancel = (sent: object) =>
      page.evaluate<number>(`fetch('/elsa/api/bulk-actions/cancel/workflow-instances', { method: 'POST',
        headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(${JSON.stringify(JSON.stringify(sent))}) })
        .then(async (answer) => (await answer.json()).cancelled)`);
    const named = { ids: null, definitionVersionId: draft, definitionId: null, versionOptions: null };
    expect([await cancel({ ...named, ids: ['none'] }), await cancel(named)]).toEqual([0, 1]);
    const { id } = started.json.workflowState;
    expect((await host.call('GET', `/elsa/api/workflow-instances/${id}`)).json.subStatus).toBe('Cancelled');
  });

  it('reads of Elsa Studio wait while the server cannot be reached: errors of its timers would end it', async () => {
    const read = (how: string) => page.evaluate<number>(`fetch(${how}).then(({ status }) => status)`);
    await page.route('**/elsa/api/package/version', (route) => route.abort(), { times: 1 });
    await page.route('**/elsa/api/workflow-instances', (route) => route.fulfill({ status: 503 }), { times: 1 });
    const list = `'/elsa/api/workflow-instances', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }`;
    const statuses = Promise.all([read("'/elsa/api/package/version'"), read(list)]);
    await page.getByText('The server cannot be reached. It is asked again and again.').waitFor();
    expect(await statuses).toEqual([200, 200]);
    expect(await page.locator('.notice').textContent()).toBe('');
    expect(asked.filter((name) => name === 'version' || name === 'workflow-instances')).toHaveLength(4);
  });

  it('Elsa Studio is loaded again after WebAssembly has ended, but not soon after it was loaded', async () => {
    // As the browser reports what WebAssembly throws then.
    const end = () =>
      page.evaluate("dispatchEvent(new ErrorEvent('error', { message: 'Uncaught ExitStatus' })) && undefined");
    await end();
    await page.getByText('Elsa Studio has stopped. Reload the page.').waitFor();
    await page.clock.install();
    await page.reload();
    await page.getByText('Ready').waitFor();
    await page.clock.fastForward(40_000);
    const loaded = page.waitForEvent('load');
    await end();
    await page.getByText('Elsa Studio has stopped. Reload the page.').waitFor();
    await page.clock.runFor(2_000);
    await loaded;
    await page.getByText('Ready').waitFor();
  });

  describe('that are refused, where a component cannot handle it,', () => {
    const root = {
      id: 'Cron',
      type: 'Elsa.Cron',
      version: 1,
      customProperties: { canStartWorkflow: true },
      cronExpression: { typeName: 'String', expression: { type: 'Literal', value: 'nope' } },
    };
    const publish = () =>
      page.evaluate(`fetch('/elsa/api/workflow-definitions/wrong/publish', { method: 'POST', body: '{}',
        headers: { 'content-type': 'application/json' } })`);
    const bar = () => page.locator('#blazor-error-ui');

    it('refused requests of Elsa Studio that a component cannot handle are shown with the reason of the server', async () => {
      await host.call('POST', '/elsa/api/workflow-definitions/import', { definitionId: 'wrong', root });
      await publish();
      // As WebAssembly does with an error that no component has caught.
      await page.evaluate("document.getElementById('blazor-error-ui').style.display = 'block'");
      await bar().getByText("The server refused a request: Error when parsing cron expression: 'nope'").waitFor();
    });

    it('the reason of a refused request of Elsa Studio is not shown for an error that comes later', async () => {
      await page.clock.install();
      await publish();
      await expectReason('The server refused a request');
      await page.clock.runFor(6000);
      await expectReason('An unhandled error has occurred.');
    });

    it('Elsa Studio says that the server cannot be reached, and nothing of features that are not there', async () => {
      const feature = "fetch('/elsa/api/features/installed/Elsa.Missing').then(({ status }) => status)";
      expect(await page.evaluate(feature)).toBe(404);
      await expectReason('An unhandled error has occurred.');
      await page.route('**/elsa/api/workflow-definitions/wrong/publish', (route) => route.abort());
      await publish().catch(() => undefined);
      await expectReason('The server cannot be reached. Try again in a moment.');
    });

    const expectReason = (text: string) => bar().getByText(text).waitFor({ state: 'attached' });
  });
});
