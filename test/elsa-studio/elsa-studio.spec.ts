import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page, Response } from 'playwright-core';
import { BuiltHost } from '../support/built-host.js';
import { describeTourInBrowser, launchBrowser } from '../studio/browser.js';

// Elsa's own Studio, as npm has it, in front of the reference host. Its stories share one page, so that WebAssembly is compiled once: the
// second has what the first has left, and none runs without the ones before it.

const MODULES = path.join(import.meta.dirname, 'client/node_modules');
const isInstalled = existsSync(path.join(MODULES, '@elsa-workflows/elsa-studio-wasm/package.json'));
const HOW = 'Elsa Studio is not installed: npm run elsa-studio:install';

const KEY = 'k'.repeat(40);
const PASSWORD = 'p'.repeat(20);

/** Where the story leaves pictures of what it saw, for people to look at. */
const PICTURES = path.join(process.env.WAYMARK_TEST_PICTURES ?? tmpdir(), 'waymark-elsa-studio');

const literal = (typeName: string, value: string) => ({ typeName, expression: { type: 'Literal', value } });
const arrow = (from: string, to: string) => ({
  source: { activity: from, port: 'Done' },
  target: { activity: to, port: 'In' },
});
/** Never drawn, as definitions are that were written by hand. */
const root = {
  id: 'Flow',
  type: 'Elsa.Flowchart',
  version: 1,
  activities: [
    { id: 'Say', name: 'Say', type: 'Elsa.WriteLine', version: 1, text: literal('String', 'begun') },
    { id: 'Wait', name: 'Wait', type: 'Elsa.Event', version: 1, eventName: literal('String', 'go') },
    { id: 'End', name: 'End', type: 'Elsa.WriteLine', version: 1, text: literal('String', 'end') },
  ],
  connections: [arrow('Say', 'Wait'), arrow('Wait', 'End')],
};

/** Elsa Studio knows nothing of its default, nor of `strictConversions`. */
const NOTE = { name: 'note', type: 'String', defaultValue: 'none' };

/**
 * Elsa Studio leaves a page whose file input Blazor has drawn and not yet prepared, on a busy machine more often than not:
 * https://github.com/microsoft/fluentui-blazor/issues/2569 is the same one. No host has a part in it.
 */
const LEFT_TOO_EARLY = "Cannot set properties of null (setting '_blazorInputFileNextFileId')";

interface Placed {
  readonly metadata: { readonly designer: { readonly position: { readonly x: number; readonly y: number } } };
}

/** Skipped where the package is not installed, but never where WAYMARK_REQUIRE_ELSA_STUDIO is set, as in CI. */
function describeWithElsaStudio(name: string, body: () => void): void {
  if (isInstalled) describeTourInBrowser(name, body);
  else if (process.env.WAYMARK_REQUIRE_ELSA_STUDIO)
    it(name, () => {
      throw new Error(HOW);
    });
  else describe.skip(`${name} (${HOW})`, body);
}

describeWithElsaStudio('Elsa Studio', () => {
  const host = new BuiltHost({
    NODE_PATH: MODULES,
    WAYMARK_API_KEY: KEY,
    WAYMARK_USERS: JSON.stringify([{ name: 'ann', password: PASSWORD }]),
  });
  const call = (method: string, route: string, body?: unknown) =>
    host.call(method, `/elsa/api/${route}`, body, { Authorization: `ApiKey ${KEY}` });
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  const asked: string[] = [];
  const told: string[] = [];

  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), host.start()]);
    await call('POST', 'workflow-definitions', {
      model: { definitionId: 'order', name: 'Order', root, inputs: [NOTE], options: { strictConversions: true } },
      publish: true,
    });
    page = await (await browser.newContext({ viewport: { width: 1600, height: 900 } })).newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes(LEFT_TOO_EARLY)) problems.push(message.text());
    });
    page.on('response', (response) => {
      asked.push(`${response.request().method()} ${new URL(response.url()).pathname}`);
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => told.push(String(payload)));
      socket.on('socketerror', (error) => problems.push(error));
    });
  });
  afterAll(async () => {
    await browser?.close();
    await host.remove();
  });

  const picture = async (name: string) => {
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  };
  const latest = async () =>
    (await call('GET', 'workflow-definitions/by-definition-id/order?versionOptions=Latest')).json;
  const isSaving = (response: Response) =>
    response.request().method() === 'POST' && response.url().endsWith('/workflow-definitions');
  const node = (name: string) => page.locator('.x6-node').filter({ hasText: name });

  it('asks for a login, lists, opens, edits, saves, publishes, runs, and shows an instance that moves', async () => {
    await page.goto(`${host.url}/elsa-studio`);
    const [username, password] = [page.getByPlaceholder('username'), page.getByPlaceholder('password')];
    await username.fill('ann');
    await password.fill('mistyped');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Wrong user or password.').waitFor();
    expect(await username.inputValue()).toBe('ann');
    const borders = [username, password].map((field) =>
      field.evaluate((shown) => getComputedStyle(shown).borderTopStyle),
    );
    expect(await Promise.all(borders)).toEqual(['solid', 'solid']);
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Order', { exact: true }).first().waitFor();
    await picture('1-list');
    await page.getByText('Order', { exact: true }).first().click();

    await node('Wait').waitFor();
    await node('Say').click();
    const text = page.locator('.mud-input-control', { has: page.getByText('Text', { exact: true }) }).locator('input');
    await text.waitFor();
    await picture('2-editor');
    const saved = page.waitForResponse(isSaving);
    await text.fill('changed in Elsa Studio');
    await text.press('Tab');
    expect((await saved).status()).toBe(200);
    const draft = await latest();
    expect([draft.version, draft.isPublished]).toEqual([2, false]);
    const say = draft.root.activities.find(({ id }: { id: string }) => id === 'Say');
    expect(say.text.expression).toEqual({ type: 'Literal', value: 'changed in Elsa Studio' });
    expect([draft.inputs, draft.options.strictConversions]).toEqual([[NOTE], true]);
    // Not a pile: they are saved where they were drawn.
    const places = draft.root.activities.map(({ metadata }: Placed) => metadata.designer.position.x);
    expect(places.toSorted((a: number, b: number) => a - b)).toEqual([100, 400, 700]);

    const published = page.waitForResponse(isSaving);
    await page.locator('button.mud-primary-text').first().click();
    expect((await published).status()).toBe(200);
    expect(await latest()).toMatchObject({ version: 2, isPublished: true });
    await picture('3-published');

    // Within the half second after which it saves by itself: that save leaves no draft of what was published.
    const isSavingAs = (publish: boolean) => (response: Response) =>
      isSaving(response) && (response.request().postDataJSON() as { publish: boolean }).publish === publish;
    const both = Promise.all([true, false].map((publish) => page.waitForResponse(isSavingAs(publish))));
    await text.fill('published at once');
    await text.press('Tab');
    await page.locator('button.mud-primary-text').first().click();
    expect((await both).map((answer) => answer.status())).toEqual([200, 200]);
    expect(await latest()).toMatchObject({ version: 3, isPublished: true });

    await page.locator('button.mud-success-text').first().click();
    await page.waitForURL(/#\/instances\//);
    await node('Wait').waitFor();
    await page.getByText('Suspended').first().waitFor();
    await picture('4-waiting');
    const before = asked.length;
    await call('POST', 'events/go/trigger', {});
    await page.getByText('Finished', { exact: true }).nth(1).waitFor();
    await picture('5-finished');
    expect(told.join()).toContain('"target":"WorkflowInstanceUpdatedAsync"');
    expect(asked.slice(before).filter((request) => request.includes('execution-state'))).toEqual([]);

    await page.getByRole('link', { name: 'Instances' }).click();
    await page.getByText('order', { exact: false }).first().waitFor();
    await picture('6-instances');
    expect(problems).toEqual([]);
  });

  it('duplicates, imports an archive, rolls back, and deletes versions and definitions', async () => {
    const row = (name: string) => page.locator('tbody tr:visible').filter({ hasText: name }).first();
    const entry = (name: string) => page.locator('.mud-popover-open .mud-menu-item', { hasText: name }).first();
    const ofMenu = async (name: string, choice: string) => {
      await row(name).locator('button').last().click();
      await entry(choice).click();
    };
    const confirm = (name: RegExp) => page.locator('.mud-dialog').getByRole('button', { name }).last().click();
    const answered = (method: string, route: string) =>
      page.waitForResponse((answer) => answer.request().method() === method && answer.url().includes(route));
    const versionsOf = async (definitionId: string) => {
      const query = `definitionIds=${definitionId}&versionOptions=AllVersions&orderBy=Version&orderDirection=Ascending`;
      const { items } = (await call('GET', `workflow-definitions?${query}`)).json;
      return items.map((item: { version: number; isPublished: boolean }) => [item.version, item.isPublished]);
    };

    await page.getByRole('link', { name: 'Definitions' }).click();
    await row('order').waitFor();
    const copied = page.waitForResponse(isSaving);
    await ofMenu('order', 'Duplicate');
    await page.locator('.mud-dialog input').first().waitFor();
    await confirm(/^ok$/i);
    const { definitionId, root: copy } = (await (await copied).json()).workflowDefinition;
    const { root: drawn } = await latest();
    expect(copy.activities.map(({ id }: { id: string }) => id)).toEqual(
      drawn.activities.map(({ id }: { id: string }) => id),
    );

    const exported = page.waitForEvent('download');
    await ofMenu('order', 'Export');
    await page.locator('.mud-dialog input[type=checkbox]').first().click();
    await confirm(/^export$/i);
    const archive = await (await exported).path();
    const chosen = page.waitForEvent('filechooser');
    await page.locator('.mud-button-group-root button').last().click();
    await entry('Import').click();
    const imported = answered('POST', '/workflow-definitions/import');
    await (await chosen).setFiles({ name: 'order.zip', mimeType: 'application/zip', buffer: await readFile(archive) });
    expect((await imported).status()).toBe(200);
    await page.getByText('1 workflow imported successfully.').waitFor();
    expect((await versionsOf('order')).at(-1)).toEqual([4, false]);

    await row('order').locator('td').nth(1).click();
    await node('Wait').waitFor();
    await page.locator('.mud-tab', { hasText: 'Version history' }).dispatchEvent('click');
    const version = (number: number) =>
      page.locator('tbody tr:visible').filter({ hasText: new RegExp(`^\\s*${number}\\b`) });
    const ofVersion = async (number: number, choice: string) => {
      await version(number).first().locator('button').last().click();
      await entry(choice).click();
    };
    const reverted = answered('POST', '/revert/1');
    await ofVersion(1, 'Rollback');
    expect((await reverted).status()).toBe(201);
    await version(5).first().waitFor();
    const removed = answered('DELETE', '/workflow-definition-versions/');
    await ofVersion(4, 'Delete');
    await confirm(/^ok$/i);
    expect((await removed).status()).toBe(204);
    expect(await versionsOf('order')).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [5, false],
    ]);

    await page.getByRole('link', { name: 'Definitions' }).click();
    const deleted = answered('DELETE', `/workflow-definitions/${definitionId}`);
    await ofMenu(definitionId, 'Delete');
    await confirm(/^delete$/i);
    expect((await deleted).status()).toBe(204);
    expect(await versionsOf(definitionId)).toEqual([]);
    await picture('7-definitions');
    expect(problems).toEqual([]);
  });
});
