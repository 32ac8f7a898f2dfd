// What each step of a run takes: seconds of the clock, and of the processors. The latter decide how long a run takes that keeps all of
// them busy, and where it can become shorter. Beside them, for how long processors of the machine had nothing to do meanwhile, with
// whatever step: something else could run beside such a step.
//
//   node scripts/step-costs.mjs begin <file>                     at the beginning of a run
//   node scripts/step-costs.mjs run <file> <name> <command...>   runs a command, and adds what it took
//   node scripts/step-costs.mjs print <file>                     what all of them took
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import os, { constants } from 'node:os';
import { secondsSince, serverSeconds } from './server-costs.mjs';
import { measureSlowness, passedLimits } from './time-limits.mjs';

const COLUMN = 22;

/** Seconds that the processors of this machine have been busy since it started, whatever with: servers of databases as well. */
const busySeconds = () =>
  os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;

/**
 * The shell says what a command and all of its children took: Node has no such number. Children of children count once they have been
 * waited for. A server that a command leaves running does not get the descriptor: we would wait for its end.
 */
const MEASURING = '"$@" 3>&-; code=$?; times >&3; exit $code';

/**
 * Runs a command. Of one that is not seen the output comes with its result.
 * @returns `{ ok, code, seconds, processor, idle, output }`; `processor` is undefined where no POSIX shell is, `idle` is what the processors
 * of the machine had left. `onStart` gets the number of the process that runs it
 */
export function runStep(command, args, { cwd, env = process.env, isSeen = false, onStart }) {
  const startedAt = performance.now();
  const busyBefore = busySeconds();
  const own = isSeen ? 'inherit' : 'pipe';
  const isWindows = process.platform === 'win32';
  const child = isWindows
    ? spawn(command, args, { cwd, env, stdio: ['ignore', own, own], shell: true })
    : spawn('sh', ['-c', MEASURING, 'sh', command, ...args], { cwd, env, stdio: ['ignore', own, own, 'pipe'] });
  if (child.pid !== undefined) onStart?.(child.pid);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(data));
  let times = '';
  child.stdio[3]?.setEncoding('utf8').on('data', (text) => (times += text));
  return new Promise((resolve) => {
    const end = (code, text) => {
      const seconds = (performance.now() - startedAt) / 1000;
      resolve({
        ok: code === 0,
        code,
        seconds,
        processor: times === '' ? undefined : sumOf(times),
        idle: Math.max(0, seconds * os.cpus().length - (busySeconds() - busyBefore)),
        output: Buffer.concat(output).toString() + text,
      });
    };
    child.on('error', (error) => end(1, String(error)));
    child.on('close', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0), ''));
  });
}

/** Of the shell itself and of its children: `0m0.010s 0m0.020s`, in two lines. */
const sumOf = (times) =>
  [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );

/** Adds it to the file that WAYMARK_STEP_COSTS names. */
export function noteCost({ name, ok, isForgiven, seconds, processor, idle }, file = process.env.WAYMARK_STEP_COSTS) {
  if (file) appendFileSync(file, `${JSON.stringify({ name, ok, isForgiven, seconds, processor, idle })}\n`);
}

const shown = (value) => (value === undefined ? '?' : value.toFixed(1)).padStart(9);

/** The same of the browsers that tests start: nobody waits for their processes, so that no step accounts for them. */
export function noteBrowsers(seconds, file = process.env.WAYMARK_STEP_COSTS) {
  if (file) appendFileSync(file, `${JSON.stringify({ browsers: seconds })}\n`);
}

/** A line for each step. `again`: it has failed, and a later step makes it good. */
export function costTable(costs) {
  const head = `${''.padEnd(COLUMN + 8)}${'clock'.padStart(9)}  ${'processor'.padStart(9)}  ${'idle'.padStart(9)}`;
  const lines = costs.map(
    ({ name, ok, isForgiven, seconds, processor, idle }) =>
      `${name.padEnd(COLUMN)}${(ok ? 'ok' : isForgiven ? 'again' : 'FAILED').padEnd(8)}` +
      `${shown(seconds)} s${shown(processor)} s${shown(idle)} s`,
  );
  return [head, ...lines].join('\n');
}

/** All steps, and how much of the machine the run has used: what no step accounts for are servers, and processes that were killed. */
function printRun(file) {
  const [first, ...lines] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const costs = lines.filter(({ browsers }) => browsers === undefined);
  console.log(costTable(costs));
  const seconds = Date.now() / 1000 - first.startedAt;
  const used = busySeconds() - first.busy;
  const ofSteps = costs.reduce((sum, { processor = 0 }) => sum + processor, 0);
  const ofBrowsers = lines.reduce((sum, { browsers = 0 }) => sum + browsers, 0);
  const others = [
    ...secondsSince(first.servers),
    ...(ofBrowsers >= 1 ? [{ name: 'Chromium', seconds: ofBrowsers }] : []),
  ];
  const unasked = others.map(({ name, seconds: taken }) => `${name} ${taken.toFixed(0)} s`);
  console.log(
    `The run took ${seconds.toFixed(0)} s. Its ${os.cpus().length} processors were busy for ${used.toFixed(0)} s of ` +
      `${(seconds * os.cpus().length).toFixed(0)} s: ${ofSteps.toFixed(0)} s with these steps, the rest with servers and browsers` +
      `${unasked.length === 0 ? '' : ` (${unasked.join(', ')})`}, with other processes that were killed, and with whatever else ran on ` +
      'the machine.',
  );
  for (const line of passedLimits([...costs, { name: 'the run', seconds }], measureSlowness())) console.log(line);
}

async function main([verb, file, name, command, ...args]) {
  if (verb === 'begin')
    writeFileSync(
      file,
      `${JSON.stringify({ startedAt: Date.now() / 1000, busy: busySeconds(), servers: serverSeconds() })}\n`,
    );
  else if (verb === 'print' && existsSync(file)) printRun(file);
  else if (verb === 'run' && command !== undefined) {
    const cost = await runStep(command, args, { isSeen: true });
    noteCost({ name, ...cost }, file);
    process.exitCode = cost.code;
  } else {
    console.error('node scripts/step-costs.mjs begin <file> | run <file> <name> <command...> | print <file>');
    process.exitCode = 1;
  }
}

if (import.meta.filename === process.argv[1]) await main(process.argv.slice(2));
