#!/usr/bin/env node
// Runs all cases against the reference host in both flowchart modes and compares with expected.json. In CI the cases without a flowchart,
// which know no mode, run in one of both, in turn.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { inTurn } from '../../scripts/turns.mjs';
import { BUNDLED_HOST, isFresh } from '../support/bundle-scripts.mjs';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const KEY = 'conformance-key';
/** Both ways in are tried: the key is the password of admin as well. */
const CREDENTIALS = { counter: ['--user', 'admin', '--password', KEY], token: ['--api-key', KEY] };
/** Bundled, when tests have bundled what is built now: it starts in half of the time. Else as it is built, with the lines of its sources. */
const HOST = isFresh() ? [BUNDLED_HOST] : ['--enable-source-maps', 'dist/main.js'];
const START_DEADLINE_MS = 60_000;
const CONCURRENCY = 8;

const expected = JSON.parse(readFileSync(path.join(here, 'expected.json'), 'utf8'));
const problems = [];
let passed = 0;
let skipped = 0;
const MODES = ['counter', 'token'];
const whole = inTurn(MODES, MODES.length);
for (const mode of MODES) await verify(mode, whole.includes(mode) ? [] : ['--only', withFlowcharts()]);
for (const problem of problems) console.error(problem);
console.log(`${passed} passed, ${problems.length} failed, ${skipped} skipped`);
process.exitCode = problems.length ? 1 : 0;

/** The groups in which a flowchart is drawn, imported or asked for, as the runner takes them. */
function withFlowcharts() {
  const folder = path.join(here, 'cases');
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const groups = texts
    .filter((text) => /\bflow(?:[A-Z]\w*)?\(|\bflow:|Flowchart|Flow(?:Fork|Join|Switch|Decision)/.test(text))
    .map((text) => /\bgroup: '([^']+)'/.exec(text)[1]);
  return `/^(?:${groups.join('|')})\\//`;
}

async function verify(mode, selection) {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-conformance-'));
  const host = await startHost(mode, folder);
  try {
    const report = path.join(folder, 'report.json');
    await run([
      'run.mjs',
      '--base',
      host.url,
      ...CREDENTIALS[mode],
      '--advance-url',
      `${host.url}/test/clock`,
      '--concurrency',
      String(CONCURRENCY),
      '--json',
      report,
      ...selection,
    ]);
    judge(mode, JSON.parse(readFileSync(report, 'utf8')).results);
  } finally {
    host.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge(mode, results) {
  for (const { group, name, status, reason } of results) {
    const full = `${group}/${name}`;
    const listed = expected.failing[full];
    if (status === 'pass' && !listed) passed++;
    else if (status === 'pass') problems.push(`${mode}: ${full} passes: take it off the list`);
    else if (status === 'skip') {
      skipped++;
      if (!expected.skipping[reason]) problems.push(`${mode}: ${full} was skipped: ${reason}`);
    } else if (!listed) problems.push(`${mode}: ${full}: ${reason}`);
  }
}

async function startHost(mode, folder) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: `sqlite:${path.join(folder, 'host.db')}`,
    WAYMARK_API_KEY: KEY,
    WAYMARK_FLOWCHART: mode,
    WAYMARK_TEST_CLOCK: '1',
    // Workflows as HTTP clients ask a server of this suite.
    WAYMARK_OUTGOING: 'any',
  };
  const child = spawn(process.execPath, [...HOST.slice(0, -1), path.join(root, HOST.at(-1))], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    if (
      await fetch(`${url}/health`).then(
        (r) => r.ok,
        () => false,
      )
    )
      return { url, process: child };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  child.kill('SIGKILL');
  throw new Error(`The host did not become healthy in ${mode} mode:\n${output}`);
}

function run(args) {
  return new Promise((resolve, reject) => {
    // Failures are judged from the report.
    spawn(process.execPath, args, { cwd: here, stdio: 'inherit' }).on('error', reject).on('close', resolve);
  });
}
