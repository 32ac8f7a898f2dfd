// Measures what Studio promises: bytes of the first view, time until it can be used, frames with 1,000 activities.
//
//   npm run build && node libs/studio/client/scripts/figures.mjs
//
// Frames are counted while the hand moves, all over the canvas: near, where some are seen, and far, where all are.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const ASSETS = path.join(ROOT, 'libs/studio/assets');
const PORT = process.env.PORT ?? '3998';
const URL = `http://127.0.0.1:${PORT}`;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
const COUNT = 1000;
const COLUMNS = 40;

function thousand() {
  const activities = Array.from({ length: COUNT }, (_, index) => ({
    id: `Step${index}`,
    type: 'Elsa.WriteLine',
    text: { typeName: 'String', expression: { type: 'Literal', value: 'x' } },
    metadata: {
      designer: { position: { x: (index % COLUMNS) * 290, y: Math.floor(index / COLUMNS) * 110 } },
    },
  }));
  const connections = activities.slice(1).map(({ id }, index) => ({
    source: { activity: `Step${index}`, port: 'Done' },
    target: { activity: id, port: 'In' },
  }));
  return {
    definitionId: 'thousand',
    name: 'Thousand',
    root: { id: 'Flow', type: 'Elsa.Flowchart', activities, connections },
  };
}

/** Of the scripts that a page loads before it can run, compressed as they are served. */
function bytesOf(...pages) {
  const manifest = JSON.parse(readFileSync(path.join(ASSETS, '.vite/manifest.json'), 'utf8'));
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const next of manifest[name].imports ?? []) visit(next);
  };
  ['index.html', ...pages].forEach(visit);
  return [...found].reduce(
    (sum, name) => sum + gzipSync(readFileSync(path.join(ASSETS, manifest[name].file))).length,
    0,
  );
}

/** Frames of a second while `move` is called again and again. */
async function framesWhile(page, move, seconds = 3) {
  const session = await page.context().newCDPSession(page);
  // Of the processor, not of the clock: the machine may have other work as well.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const busyBefore = await busy();
  await page.evaluate(() => {
    const times = (window.frameTimes = []);
    const tick = (now) => {
      times.push(now);
      window.frameRun = requestAnimationFrame(tick);
    };
    window.frameRun = requestAnimationFrame(tick);
  });
  const end = Date.now() + seconds * 1000;
  let moves = 0;
  for (; Date.now() < end; moves += 1) await move(moves);
  const times = await page.evaluate(() => {
    cancelAnimationFrame(window.frameRun);
    return window.frameTimes;
  });
  const spent = (await busy()) - busyBefore;
  await session.detach();
  const gaps = times.slice(1).map((time, index) => time - times[index]);
  gaps.sort((a, b) => a - b);
  const at = (part) => gaps[Math.floor(gaps.length * part)].toFixed(0);
  const rate = ((gaps.length * 1000) / (times.at(-1) - times[0])).toFixed(1);
  return `${rate} frames a second (gap p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.999)} ms); ${moves} moves, main thread ${(spent / moves).toFixed(1)} ms of processor each`;
}

const circle = (step, radius) => [Math.cos(step / 10) * radius, Math.sin(step / 10) * radius];

async function measure() {
  await fetch(`${URL}/elsa/api/workflow-definitions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: thousand() }),
  });
  const browser = await chromium.launch({
    executablePath: process.env.WAYMARK_CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
  });
  console.log(
    'gzipped script of the first view: home',
    bytesOf('src/home/home-page.tsx'),
    'workflows',
    bytesOf('src/workflows/workflows-page.tsx'),
    'designer with its canvas',
    bytesOf('src/designer/designer-page.tsx', 'src/designer/designer-view.tsx'),
  );
  for (const [name, address, ready] of [
    ['home', '/studio/', 'heading'],
    ['workflows', '/studio/workflows', 'table'],
  ]) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(URL + address);
    await page.getByRole(ready).first().waitFor();
    const seconds = await page.evaluate(
      () => new Promise((done) => requestIdleCallback(() => done(performance.now() / 1000))),
    );
    console.log(`${name}: can be used after ${seconds.toFixed(2)} s (cold cache)`);
    await context.close();
  }
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const begun = Date.now();
  await page.goto(`${URL}/studio/workflows/thousand`);
  await page.locator('.react-flow__node').first().waitFor();
  console.log(`1,000 activities are drawn after ${((Date.now() - begun) / 1000).toFixed(2)} s`);
  const canvas = page.getByRole('application', { name: 'Canvas' });
  const { x, y, width, height } = await canvas.boundingBox();
  const middle = { x: x + width / 2, y: y + height / 2 };
  const nodeAt = () =>
    page.locator('.react-flow__node').evaluateAll((nodes, { x, y }) => {
      const boxes = nodes.map((node) => node.getBoundingClientRect());
      const distance = (box) => Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
      const box = boxes.reduce((best, one) => (distance(one) < distance(best) ? one : best));
      return { x: box.x + box.width / 2, y: box.y + Math.min(28, box.height / 2) };
    }, middle);
  for (const zoom of ['near', 'far']) {
    if (zoom === 'far') {
      await canvas.focus();
      await page.keyboard.press('f');
      await page
        .locator('.react-flow__node')
        .nth(COUNT - 1)
        .waitFor();
    }
    console.log(`${zoom}: ${await page.locator('.react-flow__node').count()} activities in the document`);
    // Beside the nodes: a gap of the grid is found by asking.
    const empty = await page.evaluate(
      ({ left, top, right, bottom }) => {
        for (let py = top + 80; py < bottom - 80; py += 7)
          for (let px = left + 80; px < right - 80; px += 7)
            if (document.elementFromPoint(px, py)?.classList.contains('react-flow__pane')) return { x: px, y: py };
        return undefined;
      },
      { left: x, top: y, right: x + width, bottom: y + height },
    );
    await page.mouse.move(empty.x, empty.y);
    await page.mouse.down();
    console.log(
      `${zoom}, panning:`,
      await framesWhile(page, (step) =>
        page.mouse.move(empty.x + circle(step, 200)[0], empty.y + circle(step, 150)[1]),
      ),
    );
    await page.mouse.up();
    const node = await nodeAt();
    await page.mouse.move(node.x, node.y);
    await page.mouse.down();
    console.log(
      `${zoom}, dragging:`,
      await framesWhile(page, (step) => page.mouse.move(node.x + circle(step, 120)[0], node.y + circle(step, 90)[1])),
    );
    await page.mouse.up();
  }
  await browser.close();
}

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-figures-'));
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
  await measure();
} finally {
  host.kill();
  rmSync(folder, { recursive: true, force: true });
}
