// Takes the pictures of docs/studio.md from the running product: a host of its own, with instances made for them.
//
//   npm run build && node scripts/docs/screenshots.mjs            all of them
//   npm run build && node scripts/docs/screenshots.mjs home run   those alone
//
// Look at each before you commit it.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const ROOT = path.resolve(import.meta.dirname, '../..');
const IMAGES = path.join(ROOT, 'docs/images');
const PORT = process.env.PORT ?? '3999';
const URL = `http://127.0.0.1:${PORT}`;
const only = process.argv.slice(2);
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
];

const literal = (typeName, value) => ({ typeName, expression: { type: 'Literal', value } });
const script = (typeName, value) => ({ typeName, expression: { type: 'JavaScript', value } });
const at = (x, y) => ({ metadata: { designer: { position: { x, y } } } });

/** An order that waits for somebody, after it has done something that can be looked at. */
const order = {
  definitionId: 'order',
  name: 'Order',
  description: 'Reserves the goods, then waits for the payment.',
  inputs: [{ name: 'Customer', type: 'String' }],
  variables: [
    {
      id: 'total',
      name: 'Total',
      typeName: 'Double',
      value: '0',
      storageDriverTypeName: 'WorkflowInstanceStorageDriver',
    },
  ],
  root: {
    id: 'Flow',
    type: 'Elsa.Flowchart',
    metadata: {
      notes: [{ id: 'n1', text: 'Small orders are shipped at once: agreed with sales.', position: { x: 260, y: 200 } }],
    },
    activities: [
      {
        id: 'AddUp',
        type: 'Elsa.SetVariable',
        variable: { id: 'total', name: 'Total', typeName: 'Double' },
        value: script('Object', '129.5'),
        ...at(0, 60),
      },
      { id: 'IsLarge', type: 'Elsa.FlowDecision', condition: script('Boolean', 'getTotal() > 100'), ...at(260, 60) },
      { id: 'Payment', type: 'Elsa.Event', eventName: literal('String', 'paid'), ...at(520, 0) },
      { id: 'Ship', type: 'Elsa.WriteLine', text: literal('String', 'shipped'), ...at(780, 60) },
    ],
    connections: [
      { source: { activity: 'AddUp', port: 'Done' }, target: { activity: 'IsLarge', port: 'In' } },
      { source: { activity: 'IsLarge', port: 'True' }, target: { activity: 'Payment', port: 'In' } },
      { source: { activity: 'IsLarge', port: 'False' }, target: { activity: 'Ship', port: 'In' } },
      { source: { activity: 'Payment', port: 'Done' }, target: { activity: 'Ship', port: 'In' } },
    ],
  },
};

const invoice = {
  definitionId: 'invoice',
  name: 'Invoice',
  description: 'Writes an invoice. Its address is missing.',
  root: {
    id: 'Steps',
    type: 'Elsa.Sequence',
    activities: [
      { id: 'Begin', type: 'Elsa.WriteLine', text: literal('String', 'begins') },
      { id: 'Address', type: 'Elsa.RunJavaScript', script: script('String', 'input.address.street') },
    ],
  },
};

const report = {
  definitionId: 'report',
  name: 'Nightly report',
  root: {
    id: 'Flow',
    type: 'Elsa.Flowchart',
    activities: [
      {
        id: 'Nightly',
        type: 'Elsa.Cron',
        cronExpression: literal('String', '0 30 5 * * MON-FRI'),
        timeZone: literal('String', 'Europe/Vilnius'),
        customProperties: { canStartWorkflow: true },
        ...at(0, 60),
      },
      { id: 'Report', type: 'Elsa.WriteLine', text: literal('String', 'yesterday in figures'), ...at(320, 60) },
    ],
    connections: [{ source: { activity: 'Nightly', port: 'Done' }, target: { activity: 'Report', port: 'In' } }],
  },
};

const machine = {
  definitionId: 'ticket',
  name: 'Ticket',
  root: {
    id: 'Ticket',
    type: 'Elsa.StateMachine',
    initialState: 'New',
    states: [{ name: 'New' }, { name: 'In progress' }, { name: 'Waits for customer' }, { name: 'Closed' }],
    transitions: [
      ['take', 'New', 'In progress'],
      ['ask', 'In progress', 'Waits for customer'],
      ['answer', 'Waits for customer', 'In progress'],
      ['close', 'In progress', 'Closed'],
    ].map(([name, from, to]) => ({
      name,
      from,
      to,
      trigger: { id: `On${name}`, type: 'Elsa.Event', eventName: literal('String', name) },
      ...(name === 'close' ? { condition: script('Boolean', 'getInput("Solved") === true') } : {}),
    })),
    metadata: {
      designer: {
        states: {
          New: { x: 0, y: 0 },
          'In progress': { x: 360, y: 0 },
          'Waits for customer': { x: 360, y: 220 },
          Closed: { x: 760, y: 0 },
        },
      },
    },
  },
};

async function post(route, body) {
  const response = await fetch(`${URL}/elsa/api/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function prepare() {
  for (const model of [order, invoice, report, machine]) await post('workflow-definitions', { model, publish: true });
  await post('workflow-definitions', {
    model: { ...invoice, name: 'Invoice', description: invoice.description },
  });
  const start = (id, body) => post(`workflow-definitions/${id}/execute`, body);
  await start('invoice', { name: 'Invoice of Tom' });
  await start('order', { correlationId: 'customer-1042', name: 'Order of Tom', input: { Customer: 'Tom' } });
  const { workflowState } = await start('order', {
    correlationId: 'customer-4711',
    name: 'Order of Mia',
    input: { Customer: 'Mia' },
  });
  return workflowState.id;
}

async function takePictures(instanceId) {
  const browser = await chromium.launch({
    executablePath: process.env.WAYMARK_CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
  });
  const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, colorScheme: 'light' });
  const node = (name) => page.locator('.react-flow__node').filter({ hasText: name });
  const take = async (name, address, ready, then) => {
    if (only.length > 0 && !only.includes(name)) return;
    await page.goto(`${URL}/studio${address}`);
    await page.getByText(ready).first().waitFor();
    if (then) await then();
    await page.waitForFunction(() => !document.body.innerText.includes('Loading …'));
    await page.getByText('Live', { exact: true }).waitFor();
    await page.screenshot({ path: path.join(IMAGES, `studio-${name}.png`), animations: 'disabled' });
  };
  // Names of workflows come after what names them.
  const named = (name) => page.getByRole('link', { name, exact: true }).waitFor();
  await take('home', '/', 'Failures by workflow', () => Promise.all(['Invoice', 'Nightly report'].map(named)));
  await take('standing', '/workflows/order/standing', 'By activity', () => node('Payment').waitFor());
  await take('audit', '/audit', 'instances.start');
  await take('workflows', '/workflows', 'Heartbeat');
  await take('instances', '/instances', 'Order of Mia');
  const canvasIsStill = () => page.waitForFunction(() => document.getAnimations().length === 0);
  const drawn = () => node('Payment').waitFor();
  await take('instance', `/instances/${instanceId}?tab=waiting`, 'Resume from here', drawn);
  await take('replay', `/instances/${instanceId}?step=6`, 'Step 6 of', drawn);
  const properties = page.getByRole('complementary', { name: 'Properties' });
  // Three columns need room.
  await page.setViewportSize({ width: 1440, height: 720 });
  await take('designer', '/workflows/order', 'AddUp', async () => {
    await node('IsLarge').click();
    await properties.locator('.cm-content').waitFor();
  });
  await take('cron', '/workflows/report', 'Nightly', async () => {
    await node('Nightly').click();
    await properties.getByRole('list', { name: 'The next times' }).getByRole('listitem').nth(4).waitFor();
  });
  await take('machine', '/workflows/ticket', 'In progress', () =>
    page.getByRole('button', { name: 'Transition close' }).click(),
  );
  await take('run', '/workflows/order', 'AddUp', async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dock = page.getByRole('region', { name: 'Run the draft' });
    await dock.getByLabel('Customer').fill('Mia');
    await dock.getByRole('button', { name: 'Start' }).click();
    await node('Payment').getByText('waits', { exact: true }).waitFor({ state: 'attached' });
    await canvasIsStill();
  });
  await take('script', '/workflows/order', 'AddUp', async () => {
    await node('IsLarge').click();
    await properties.locator('.cm-content').fill('variables.Totl > 100');
    await properties.locator('.cm-lintRange-warning').hover();
    await page.getByText("Property 'Totl' does not exist").waitFor();
  });
  await browser.close();
}

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-pictures-'));
mkdirSync(IMAGES, { recursive: true });
const host = spawn(process.execPath, [path.join(ROOT, 'dist/main.js')], {
  cwd: folder,
  env: { PATH: process.env.PATH, PORT },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await new Promise((resolve, reject) => {
    createInterface({ input: host.stdout }).on('line', (line) => line.includes('Listening on') && resolve());
    host.once('exit', (code) => reject(new Error(`The host ended with code ${code}.`)));
  });
  await takePictures(await prepare());
} finally {
  host.kill();
  rmSync(folder, { recursive: true, force: true });
}
