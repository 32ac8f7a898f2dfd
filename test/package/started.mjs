import { spawn } from 'node:child_process';

/** How an application is started, and how it ends on SIGTERM. */
export const started = (script, end) => ({ command: process.execPath, args: [script], end });
/** Compiles as well; the shell that it starts does not pass signals on. */
export const NPM_START = { command: 'npm', args: ['start', '--silent'], end: 'exit code 0' };
/** Of new applications. */
export const DRAINED = 'exit code 0';
/** Nest ends the process by the signal unless it is asked not to. */
export const BY_SIGNAL = 'SIGTERM';

/**
 * Starts an application on a port that the system chooses, orders tea, and ends it.
 * @param studio whether it has the pages @param env variables of its own
 * @returns what went wrong, if something did
 */
export async function answerProblem(folder, { command, args, end }, { studio = true, env = {} } = {}) {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  // Not before every process has closed the output: one that outlives npm keeps it open.
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`)));
  let output = '';
  const url = await new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data;
        const found = /Listening on (http:\/\/[\d.]+:\d+)\D/.exec(output)?.[1];
        if (found) resolve(found);
      });
    child.on('close', () => resolve(undefined));
  });
  if (url === undefined) return `the application has ended:\n${output}`;
  const problem = await callProblem(url, studio).catch((error) => String(error.stack));
  child.kill();
  const found = await ended;
  if (problem) return `${problem}\n${output}`;
  return found === end || process.platform === 'win32' ? undefined : `SIGTERM: ${found} in place of ${end}\n${output}`;
}

async function callProblem(url, hasStudio) {
  const answer = await fetch(`${url}/workflows/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ item: 'tea', count: 3 }),
  });
  const text = await answer.text();
  if (text !== '{"item":"tea","total":750}') return `the endpoint answered ${answer.status} ${text}`;
  const refused = await fetch(`${url}/workflows/orders`, { method: 'POST' });
  if (refused.status !== 400) return `an order without a body was answered ${refused.status}`;
  const studio = await fetch(`${url}/studio`);
  return studio.status === (hasStudio ? 200 : 404) ? undefined : `Studio answered ${studio.status}`;
}
