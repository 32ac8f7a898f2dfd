import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pairsOf, runInTurn } from '../../support/pairs.js';
import { Target } from './attack.js';

// Not one request that takes long, but many, each within its limit, and connections that send nothing.

const STARTUP_MS = 120_000;
const TEST_MS = 120_000;
const SCRIPTS = 40;
const CONNECTIONS = 400;
const ADAPTERS = ['express', 'fastify'] as const;

runInTurn(() => {
  describe.each(pairsOf(ADAPTERS, 'fastify'))('a crowd of clients of a host on %s', (adapter) => {
    let target: Target;
    const idle: Socket[] = [];
    beforeAll(async () => void (target = await Target.start(adapter)), STARTUP_MS);
    afterEach(() => {
      for (const socket of idle.splice(0)) socket.destroy();
    });
    afterAll(() => target.kill());

    /** By a connection of its own. */
    const get = (path: string) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const request = http.get(`${target.url}${path}`, { agent: false }, (response) => {
          void text(response).then((body) => resolve({ status: response.statusCode!, body }), reject);
        });
        request.on('error', reject);
      });

    it(
      'does not keep a health check waiting behind scripts and connections that came before',
      async () => {
        const scripts = Array.from({ length: SCRIPTS }, () => get('/workflows/busy'));
        const { hostname, port } = new URL(target.url);
        for (let i = 0; i < CONNECTIONS; i++) idle.push(connect(Number(port), hostname).on('error', () => undefined));
        const health = await get('/health/live');
        // One turn of the host took one connection, and in each turn a script ran: all of them, before this one was taken.
        expect(health.status).toBe(200);
        expect((JSON.parse(health.body) as { lines: number }).lines).toBeLessThan(SCRIPTS / 2);
        expect(new Set((await Promise.all(scripts)).map(({ status }) => status))).toEqual(new Set([200]));
      },
      TEST_MS,
    );
  });
});
