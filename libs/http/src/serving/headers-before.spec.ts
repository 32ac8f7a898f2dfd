import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AdapterExchange } from '../requests/adapter-exchange.js';
import { endpoint, obj, respond, startApp, type TestServer } from './testing/http-test-app.js';

describe.each([FastifyAdapter, ExpressAdapter])('headers that the application has set before, on %p', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startApp(new Adapter(), {}, {}, undefined, undefined, undefined, (app) => {
      app.use((_request: IncomingMessage, response: ServerResponse, next: () => void) => {
        response.setHeader('Set-Cookie', ['sid=1', 'csrf=2']);
        response.setHeader('Vary', 'Origin');
        response.setHeader('X-Kept', 'before');
        next();
      });
    });
  });
  afterAll(() => server.app.close());

  const answerOf = async (path: string, responseHeaders: object) => {
    await server.publish([endpoint('In', path), respond('Out', 'text', { responseHeaders: obj(responseHeaders) })]);
    const { status, headers } = await server.call('GET', `/workflows/${path}`);
    return { status, cookies: headers['set-cookie'], vary: headers.vary, kept: headers['x-kept'] };
  };

  it.each([
    ['one', 'cart=1', 'Accept', ['cart=1'], 'Origin, Accept'],
    ['several', ['cart=1', 'seen=2'], 'accept, ORIGIN', ['cart=1', 'seen=2'], 'ORIGIN, accept'],
  ])(
    'cookies and Vary of a workflow are sent beside those of the application: %s',
    async (path, cookie, vary, cookies, varies) => {
      expect(await answerOf(path, { 'Set-Cookie': cookie, Vary: vary, 'X-Kept': 'after' })).toEqual({
        status: 200,
        cookies: ['sid=1', 'csrf=2', ...cookies],
        vary: varies,
        kept: 'after',
      });
    },
  );
});

it('headers that the application has set before stay where an answer cannot be sent', async () => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader('Set-Cookie', ['sid=1']);
  response.setHeader('Vary', 'Origin');
  const headers = [
    ['Set-Cookie', 'cart=1'],
    ['Vary', 'Accept'],
    ['X-New', '1'],
    ['X-Bad', 'a\n'],
  ] as const;
  const { target } = new AdapterExchange(request, response);
  await expect((async () => target.send({ status: 200, headers, body: undefined }))()).rejects.toThrow('X-Bad');
  expect([target.isSent, { ...response.getHeaders() }]).toEqual([false, { 'set-cookie': ['sid=1'], vary: 'Origin' }]);
});
