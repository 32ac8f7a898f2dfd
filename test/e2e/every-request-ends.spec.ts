import { once } from 'node:events';
import http from 'node:http';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson } from '@waymark/core';
import {
  act,
  endpoint,
  fault,
  lit,
  obj,
  respond,
  variable,
} from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { pairsOf } from '../support/pairs.js';
import { startWhole, type WholeApplication } from './whole-application.js';

const js = (value: string) => ({ typeName: 'Object', expression: { type: 'JavaScript', value } });
const stored = { ...variable('Kept'), storageDriverTypeName: 'WorkflowInstanceStorageDriver' };
/** What the workflow waits for, so that its state is stored. */
const wait = (): ActivityJson => act('Elsa.Event', 'Wait', { eventName: lit('never') });
const keepsFunction = (): ActivityJson => act('Test.KeepsFunction', 'Keep');
const json = { contentType: lit('application/json') };
const xml = { contentType: lit('application/xml') };

let entered: (() => void) | undefined;
let release: Promise<void> | undefined;

/** No store can keep what it leaves in the variable. */
@Injectable()
@Activity({ namespace: 'Test' })
class KeepsFunction extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    ctx.setVariable('Kept', () => 1);
    return ctx.complete();
  }
}

@Injectable()
@Activity({ namespace: 'Test' })
class Held extends ActivityBase {
  async execute(ctx: ActivityExecutionContext): Promise<unknown> {
    entered?.();
    await release;
    return ctx.complete();
  }
}

/** Content that breaks off while it is sent. */
@Injectable()
@Activity({ namespace: 'Test' })
class KeepsStream extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    ctx.setVariable(
      'Kept',
      Readable.from(
        (function* () {
          yield Buffer.from('half');
          throw new Error('broken');
        })(),
      ),
    );
    return ctx.complete();
  }
}

type Expected = { status: number; text?: string } | 'broken off';
/** What a workflow does after the endpoint, and how the request ends. */
const CASES: [name: string, activities: ActivityJson[], expected: Expected, method?: string][] = [
  ['nothing', [], { status: 200, text: '' }],
  ['no content', [respond('A', lit(null, 'Object'))], { status: 200, text: '' }],
  ['a number', [respond('A', js('1.5'))], { status: 200, text: '1.5' }],
  ['not a number, as JSON', [respond('A', js('0/0'), json)], { status: 200 }],
  ['a big integer, as JSON', [respond('A', js('12345678901234567890n'), json)], { status: 200 }],
  ['a date', [respond('A', js('new Date(0)'))], { status: 200 }],
  ['bytes', [respond('A', js('bytesFromString("ab")'))], { status: 200 }],
  ['half of a surrogate pair', [respond('A', js('"\\ud800"'))], { status: 200 }],
  ['NUL, as XML', [respond('A', js('({ "a b": "\\u0000", "": 1 })'), xml)], { status: 200 }],
  [
    'data of 150 levels',
    [respond('A', js('let o = 1; for (let i = 0; i < 150; i++) o = [o]; return o'), json)],
    { status: 200 },
  ],
  ['a script that fails', [respond('A', js('none()'))], { status: 500 }],
  ['a script that does not end', [respond('A', js('for (;;) {}'))], { status: 500 }],
  ['content without a body', [respond('A', 'text', { statusCode: lit(204, 'Int32') })], { status: 204, text: '' }],
  [
    'content of what was not modified',
    [respond('A', 'text', { statusCode: lit(304, 'Int32') })],
    { status: 304, text: '' },
  ],
  ['content for HEAD', [respond('A', 'text')], { status: 200, text: '' }, 'HEAD'],
  ['a status that goes on', [respond('A', 'text', { statusCode: lit(100, 'Int32') })], { status: 500 }],
  ['switching protocols', [respond('A', 'text', { statusCode: lit(101, 'Int32') })], { status: 500 }],
  [
    'two responses',
    [respond('A', 'one '), respond('B', 'two', { statusCode: lit(500, 'Int32') })],
    { status: 200, text: 'one two' },
  ],
  [
    'a second response that cannot be sent',
    [respond('A', 'one'), respond('B', 'two', { responseHeaders: obj({ 'X Y': '1' }) })],
    { status: 200, text: 'one' },
  ],
  ['a response, then a fault', [respond('A', 'text'), fault('F')], { status: 200, text: 'text' }],
  ['a fault before the response', [fault('F'), respond('A', 'text')], { status: 500 }],
  ['a wait without a response', [wait()], { status: 200, text: '' }],
  ['a response, then a wait', [respond('A', 'text'), wait()], { status: 200, text: 'text' }],
  [
    'a response, then a value that cannot be stored: the instance faults',
    [respond('A', 'text'), keepsFunction(), wait()],
    { status: 200, text: 'text' },
  ],
  ['a value that cannot be stored, without a response', [keepsFunction(), wait()], { status: 500 }],
  [
    'content that breaks off',
    [
      act('Test.KeepsStream', 'K'),
      respond('A', { typeName: 'Object', expression: { type: 'Variable', value: { id: 'Kept' } } }),
    ],
    'broken off',
  ],
];

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('every request ends (%p)', (Adapter) => {
  let server: WholeApplication;
  let number = 0;
  beforeAll(async () => {
    server = await startWhole(new Adapter(), {
      providers: [KeepsFunction, Held, KeepsStream],
      javascript: { timeoutMs: 200 },
    });
  });
  afterAll(() => server.close());

  const openSockets = () =>
    new Promise<number>((resolve, reject) =>
      (server.app.getHttpServer() as http.Server).getConnections((error, count) =>
        error ? reject(error) : resolve(count),
      ),
    );
  /** Until the server has seen the end of all connections; a socket that stays open is the failure of the test's time-out. */
  const untilNoneIsOpen = async () => {
    while ((await openSockets()) > 0) await new Promise((resolve) => setImmediate(resolve));
  };

  it.each(CASES)('%s', async (_, activities, expected, method = 'GET') => {
    const path = `ends-${++number}`;
    await server.publish([endpoint('In', path, { methods: [method] }), ...activities], [stored]);
    const asked = server.call(method, `/workflows/${path}`);
    if (expected === 'broken off') await expect(asked).rejects.toThrow();
    else expect(await asked).toMatchObject(expected);
    await untilNoneIsOpen();
  });

  it('a client that leaves while its workflow runs', async () => {
    const path = `ends-${++number}`;
    const isRunning = new Promise<void>((resolve) => (entered = resolve));
    let go!: () => void;
    release = new Promise((resolve) => (go = resolve));
    const id = await server.publish([endpoint('In', path), act('Test.Held', 'H'), respond('A', 'text'), wait()]);
    const request = http.get({ port: server.port, host: '127.0.0.1', path: `/workflows/${path}`, agent: false });
    const gone = once(request, 'error');
    await isRunning;
    request.destroy(new Error('left'));
    await gone;
    await untilNoneIsOpen();
    go();
    // The workflow goes on to where it waits.
    let instance;
    do {
      await new Promise((resolve) => setImmediate(resolve));
      [instance] = (await server.persistence.instances.findMany({ definitionIds: [id] })).items;
    } while (instance?.subStatus !== 'Suspended');
  });

  it('a client that leaves while its body is read', async () => {
    const path = `ends-${++number}`;
    const id = await server.publish([endpoint('In', path, { methods: ['POST'] }), respond('A', 'text')]);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
    const options = {
      port: server.port,
      host: '127.0.0.1',
      path: `/workflows/${path}`,
      method: 'POST',
      headers,
      agent: false,
    };
    const request = http.request(options);
    const gone = once(request, 'error');
    request.write('{"half":');
    while ((await openSockets()) === 0) await new Promise((resolve) => setImmediate(resolve));
    request.destroy(new Error('left'));
    await gone;
    await untilNoneIsOpen();
    expect(await server.persistence.instances.count({ definitionIds: [id] })).toBe(0);
  });
});
