import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer } from 'node:net';

const PATIENCE_MILLIS = 60_000;
const POLL_MILLIS = 2;
/** Linux counts processor time for programs in hundredths of a second, on every machine. */
const MILLIS_PER_TICK = 10;

export interface Start {
  readonly startMillis: number;
  /** Processor time until then, which another job on the machine does not lengthen. */
  readonly cpuMillis: number;
  readonly residentMegabytes: number;
}

/** Starts a server as `npm start` does, waits for its first healthy answer, looks at its memory, and ends it. */
export async function measureStart(file: string, env: NodeJS.ProcessEnv): Promise<Start> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)));
  try {
    while (!(await isHealthy(port))) {
      if (child.exitCode !== null || performance.now() - startedAt > PATIENCE_MILLIS)
        throw new Error(`${file} did not become healthy (exit code ${child.exitCode}):\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
    }
    const startMillis = performance.now() - startedAt;
    return { startMillis, ...(await used(child)) };
  } finally {
    await end(child);
  }
}

function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/health', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

/** @throws where there is no /proc: start is only measured on Linux */
async function used({ pid }: ChildProcess): Promise<Omit<Start, 'startMillis'>> {
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ]);
  // The second member, the command in brackets, may hold blanks; user and system time are the 14th and 15th.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return {
    cpuMillis: (user! + system!) * MILLIS_PER_TICK,
    residentMegabytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await exited;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
