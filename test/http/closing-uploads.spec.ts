import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { MemoryPersistence, RuntimeGate } from '@waymark/runtime';
import { literal, startedBy } from '../support/runtime-node.js';
import { type HttpNode, startHttpNode } from './http-node.js';

const ADAPTERS = { express: () => new ExpressAdapter(), fastify: () => new FastifyAdapter() };
const endpoint = {
  type: 'Elsa.HttpEndpoint',
  id: 'In',
  path: literal('in'),
  supportedMethods: { typeName: 'String[]', expression: { type: 'Object', value: '["POST"]' } },
  ...startedBy,
};

// What would be started is refused by then. A client that sends a byte now and then would hold the shutdown until its end.

describe.each(['express', 'fastify'] as const)('a shutdown while a body arrives, on %s', (adapter) => {
  let node: HttpNode;
  let socket: Socket;
  afterEach(() => void socket.destroy());

  /** @returns the answer, when the connection has ended */
  const begin = async (headers: string, body: string): Promise<{ readonly answer: Promise<string> }> => {
    node = await startHttpNode(ADAPTERS[adapter](), new MemoryPersistence());
    await node.publish('w', [endpoint, { type: 'Elsa.WriteHttpResponse', id: 'R', content: literal('done') }]);
    const timers = node.clock.pending.length;
    socket = connect(node.port, '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    const ended = once(socket, 'close').then(() => Buffer.concat(parts).toString());
    socket.write(`POST /workflows/in HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`);
    while (node.clock.pending.length === timers) await setImmediate();
    return { answer: ended };
  };
  it.each([
    ['announced', 'Content-Type: text/plain\r\nContent-Length: 1000', 'a'],
    ['in chunks', 'Content-Type: text/plain\r\nTransfer-Encoding: chunked', '1\r\na\r\n'],
    ['with files', 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000', '--b\r\n'],
  ])('answers 503 after a second and ends: %s', async (_, headers, body) => {
    const { answer } = await begin(headers, body);
    const closing = node.app.close();
    while (node.get(RuntimeGate).closedBecause !== 'draining') await setImmediate();
    await node.clock.advance(1000);
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1.1 503 /);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).toContain('WM3005');
    await closing;
  });
});
