// The commands of an example's README, run as they are printed: against the example, on a port and a database of their own.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.mjs';

const BLOCK = /^```(sh|text)\n(.*?)^```$/gms;
const START = 'npm start';
/** Shows what is answered, fails for a refusal, and keeps the id of what was listed for commands that say ID. */
const CURL = `curl() {
  local answer
  answer="$(command curl -sS --fail-with-body "$@")" || { echo "$answer" >&2; return 1; }
  echo "$answer"
  local id
  id="$(sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p' <<<"$answer")"
  ID="\${id:-$ID}"
}
set -euo pipefail
ID=
`;

/** @returns what is wrong, as sentences */
export async function readmeProblems(folder) {
  const blocks = [...readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(BLOCK)];
  const lines = blocks.filter(([, kind]) => kind === 'sh').flatMap(([, , text]) => text.split('\n'));
  const expected = blocks.filter(([, kind]) => kind === 'text').map(([, , text]) => text);
  const start = lines.indexOf(START);
  if (start < 0 || !lines.includes('npm test')) return [`README.md has no "npm test" and "${START}"`];
  // Its tests have been run already.
  const before = lines.slice(0, start).filter((line) => line !== 'npm test');
  const after = lines.slice(start + 1).filter((line) => line !== '');
  if (after.length === 0) return ['README.md does not show a request'];

  const temporary = mkdtempSync(path.join(os.tmpdir(), 'waymark-example-'));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATABASE_URL: `sqlite:${path.join(temporary, 'example.db')}` };
  const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const command = scripts.start.replace('npm run build && ', 'exec ');
  const server = bash([...before, command].join('\n'), folder, env, 'Nest application successfully started');
  try {
    if (!(await server.ready)) return [`"${START}" has ended:\n${server.output()}`];
    const script = [...before, CURL, ...after].join('\n').replaceAll(':3000', `:${port}`).replaceAll('/ID/', '/$ID/');
    const client = bash(script, folder, env);
    const status = await client.ended;
    if (status !== 0) return [`the commands end with ${status}:\n${client.output()}\n${server.output()}`];
    return expected
      .filter((text) => !client.output().includes(text))
      .map((text) => `the commands do not print\n${text}but\n${client.output()}`);
  } finally {
    server.kill();
    await server.ended;
    rmSync(temporary, { recursive: true, force: true });
  }
}

function bash(script, cwd, env, readyText) {
  const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      output += String(error);
      resolve(-1);
    });
    child.on('close', resolve);
  });
  const ready = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data;
        if (readyText && output.includes(readyText)) resolve(true);
      });
    void ended.then(() => resolve(false));
  });
  return { ended, ready, output: () => output, kill: () => child.kill() };
}
