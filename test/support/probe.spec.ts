import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { testBackends } from './backends.js';
import { describeBackends, PROBED_VARIABLE, type ProbedServers, probeServers } from './probe.js';

const PATIENCE_MS = 200;
const NOT_ASKED = 'mysql,postgres,redis';
const servers: Server[] = [];
const sockets: Socket[] = [];

/** A server that does this with each connection. @returns its port */
async function serverThat(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    serve(socket);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function closedPort(): Promise<number> {
  const port = await serverThat(() => {});
  const closed = once(servers.at(-1)!, 'close');
  servers.pop()!.close();
  await closed;
  return port;
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Looks for servers that all listen at that port. */
const probeAt = (port: number, more: NodeJS.ProcessEnv = {}) =>
  probeServers(
    {
      WAYMARK_TEST_MYSQL_URL: `mysql://stranger:secret@127.0.0.1:${port}/no_such`,
      WAYMARK_TEST_POSTGRES_URL: `postgres://stranger:secret@127.0.0.1:${port}/no_such`,
      WAYMARK_TEST_REDIS_URL: `redis://127.0.0.1:${port}`,
      ...more,
    },
    PATIENCE_MS,
  );

/** MySQL refuses before it has greeted. */
function refuseAsMysql(socket: Socket): void {
  const text = Buffer.from("Access denied for user 'stranger'@'localhost' (using password: YES)");
  const packet = Buffer.concat([Buffer.from([0xff, 0x15, 0x04]), Buffer.from('#28000'), text]);
  socket.end(Buffer.concat([Buffer.from([packet.length, 0, 0, 0]), packet]));
}

/** PostgreSQL refuses what the first message says. */
function refuseAsPostgres(socket: Socket): void {
  socket.once('data', () => {
    const fields = Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed for user "stranger"\0\0');
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    socket.end(Buffer.concat([Buffer.from('E'), length, fields]));
  });
}

it('says of servers that nothing listens', async () => {
  const refused = { reason: expect.stringContaining('ECONNREFUSED') };
  expect(await probeAt(await closedPort())).toEqual({ mysql: refused, postgres: refused, redis: refused });
});

it('does not wait for servers that take a connection and say nothing', async () => {
  const reasons = Object.values(await probeAt(await serverThat(() => {})));
  expect(reasons).toEqual(Array(3).fill({ reason: expect.stringMatching(/time|abort/i) }));
});

it.each([
  ['mysql', refuseAsMysql, "WAYMARK_TEST_MYSQL_URL: Access denied for user 'stranger'"],
  ['postgres', refuseAsPostgres, 'WAYMARK_TEST_POSTGRES_URL: password authentication failed for user "stranger"'],
] as const)('leaves out %s when it does not know the account, and says so', async (name, refuse, reason) => {
  const others = NOT_ASKED.split(',').filter((other) => other !== name);
  const port = await serverThat(refuse);
  const probed = await probeAt(port, { WAYMARK_HIDE_BACKENDS: others.join() });
  expect(probed[name]).toEqual({ reason: expect.stringContaining(reason) });

  const left = await backendsOf(probed, () => testBackends(name));
  expect(left).toEqual({
    available: [],
    skipped: [{ name, reason: expect.stringContaining(reason) }],
    isForAnyStore: false,
  });

  const required = probeAt(port, { WAYMARK_HIDE_BACKENDS: others.join(), WAYMARK_REQUIRE_BACKENDS: `sqlite,${name}` });
  await expect(required).rejects.toThrow(`WAYMARK_REQUIRE_BACKENDS asks for backends that cannot be used: ${name} (`);
});

it('finds Redis by its answer', async () => {
  const hidden = { WAYMARK_HIDE_BACKENDS: 'mysql,postgres' };
  const port = await serverThat((socket) => void socket.once('data', () => socket.end('+PONG\r\n')));
  expect((await probeAt(port, hidden)).redis).toEqual({ url: `redis://127.0.0.1:${port}` });
  const other = await serverThat((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect((await probeAt(other, hidden)).redis).toEqual({ reason: expect.stringContaining('as Redis does') });
});

it('does not ask servers that are hidden, and refuses to hide what is required', async () => {
  const hidden = { reason: 'hidden by WAYMARK_HIDE_BACKENDS' };
  let asked = 0;
  const port = await serverThat((socket) => {
    asked++;
    socket.destroy();
  });
  const env = { WAYMARK_HIDE_BACKENDS: NOT_ASKED };
  expect(await probeAt(port, env)).toEqual({ mysql: hidden, postgres: hidden, redis: hidden });
  expect(asked).toBe(0);
  await expect(probeAt(port, { ...env, WAYMARK_REQUIRE_BACKENDS: 'postgres' })).rejects.toThrow('postgres (hidden by');
});

it.each(['WAYMARK_HIDE_BACKENDS', 'WAYMARK_REQUIRE_BACKENDS'])('refuses an unknown name in %s', async (variable) => {
  const probed = probeAt(0, { WAYMARK_HIDE_BACKENDS: NOT_ASKED, [variable]: 'mysql, postgresql' });
  await expect(probed).rejects.toThrow(/^WAYMARK_\w+ knows .*, not 'postgresql'\.$/);
});

it('tells in one line what tests have and what they do without', async () => {
  const reason = 'hidden by WAYMARK_HIDE_BACKENDS';
  const probed = { mysql: { url: 'mysql://u:p@127.0.0.1/waymark_test' }, postgres: { reason }, redis: { reason } };
  expect(describeBackends(await backendsOf(probed, () => testBackends()))).toBe(
    `backends: memory, sqlite, mysql; without postgres (${reason})\n`,
  );
});

/** As if the set-up of the run had found that. */
async function backendsOf<T>(probed: ProbedServers, look: () => Promise<T>): Promise<T> {
  const before = process.env[PROBED_VARIABLE];
  process.env[PROBED_VARIABLE] = JSON.stringify(probed);
  try {
    return await look();
  } finally {
    process.env[PROBED_VARIABLE] = before;
  }
}
