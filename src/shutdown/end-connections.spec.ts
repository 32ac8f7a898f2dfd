import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Controller, Get, Module, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { endConnections } from './end-connections.js';

interface Reply {
  send(text: string): unknown;
}

let asked: Reply[];

@Controller()
class Answers {
  @Get('fast')
  fast(): string {
    return 'done';
  }
  @Get('slow')
  slow(@Res() reply: Reply): void {
    asked.push(reply);
  }
}

@Module({ controllers: [Answers] })
class Host {}

const sockets: Socket[] = [];
let app: NestFastifyApplication;
let waitNoLonger: () => void;

beforeEach(async () => {
  asked = [];
  app = await NestFactory.create<NestFastifyApplication>(Host, new FastifyAdapter(), { logger: false });
  waitNoLonger = endConnections(app);
  await app.listen(0, '127.0.0.1');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A client that has sent so much. */
async function client(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(await app.getUrl()).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text.replaceAll('\n', '\r\n'));
  return socket;
}

const answerOf = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);
/** One that is not answered until the test does. */
async function slowClient(): Promise<Socket> {
  const socket = await client('GET /slow HTTP/1.1\nHost: x\n\n');
  while (asked.length === 0) await answerOf(await client('GET /fast HTTP/1.1\nHost: x\n\n'));
  return socket;
}

it('does not wait for clients that have sent half of a request', async () => {
  const half = await client('GET /fast HTTP/1.1\nHost: x\n');
  const answered = await client('GET /fast HTTP/1.1\nHost: x\nContent-Length: 1000\n\n1');
  expect(await answerOf(answered)).toContain('done');
  const closed = Promise.all([half, answered].map((socket) => once(socket.resume(), 'close')));
  await app.close();
  await closed;
});

it('waits for answers that are under way', async () => {
  const slow = await slowClient();
  const closing = app.close();
  const answer = answerOf(slow);
  asked[0]!.send('done');
  expect(await answer).toContain('done');
  await closing;
});

it('waits for them no longer than the time limit', async () => {
  const slow = await slowClient();
  const closed = once(slow.resume(), 'close');
  const closing = app.close();
  waitNoLonger();
  await closing;
  await closed;
});
