import { jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Controller, type ExecutionContext, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { VirtualClock } from '@waymark/testing';
import { type StoreHealth, type StoreStatus, StoreUnavailableError } from '@waymark/runtime';
import { from, lastValueFrom, type Observable, of, throwError } from 'rxjs';
import type { ResolvedApiOptions } from '../module/api-options.js';
import { ADAPTERS, useServer } from '../module/api-harness.spec.js';
import { FromOptionalBody, FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { holdBody } from '../requests/request-body.js';
import { answerKey } from './answer-key.js';
import { type AnswerClaim, AnswerMemory } from './answer-memory.js';
import { AnswersWhole, WholeAnswersInterceptor } from './whole-answers.interceptor.js';

@Controller()
class Routes {
  @AnswersWhole()
  one(@FromQuery(read.members({ versionOptions: read.text })) _query: unknown): void {}

  @AnswersWhole()
  many(@FromOptionalBody(read.members({ ids: read.list(read.text) })) _body: unknown): void {}
}

class Response extends EventEmitter {
  destroyed = false;
  setTimeout(): void {}
  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function contextOf(url: string, response = new Response(), params = { id: 'a' }): ExecutionContext {
  return routed({ url, params, headers: {} }, response);
}

function routed(request: object, response = new Response(), route: keyof Routes = 'one'): ExecutionContext {
  const http = { getRequest: () => ({ readableEnded: true, ...request }), getResponse: () => response };
  return {
    getClass: () => Routes,
    // oxlint-disable-next-line typescript/unbound-method -- as Nest has it
    getHandler: () => Routes.prototype[route],
    switchToHttp: () => http,
  } as unknown as ExecutionContext;
}

const healthOf = (status: StoreStatus) => ({ check: async () => status }) as StoreHealth;

describe('answers that take turns', () => {
  it('answers that take turns share a size by route and by the query members that the route reads', () => {
    const key = answerKey(contextOf('/one/a?versionOptions=Latest'));
    for (const url of ['/one/a?x=1&versionoptions=Latest', '/ONE/%61/?VersionOptions=Latest&y=2'])
      expect(answerKey(contextOf(url))).toBe(key);
    expect(answerKey(contextOf('/one/a?versionOptions=Published'))).not.toBe(key);
    expect(answerKey(contextOf('/one/b?versionOptions=Latest', undefined, { id: 'b' }))).not.toBe(key);
  });

  it('answers that take turns have no known size when the body selects the content', () => {
    const keyOf = (request: object, route: keyof Routes = 'many') =>
      answerKey(routed({ url: '/x', headers: {}, ...request }, undefined, route));
    const sent = { headers: { 'content-type': 'application/json', 'content-length': '9' } };
    const held = { ...sent };
    holdBody(held as unknown as IncomingMessage);
    expect(keyOf(held)).toBeUndefined();
    // As a parser of the application has read it.
    expect(keyOf({ body: { ids: ['a'] } })).toBeUndefined();
    expect(keyOf({})).toBe(keyOf({ url: '/y' }));
    // What a route does not read changes nothing.
    expect(keyOf({ ...sent, body: {} }, 'one')).toBe(keyOf({}, 'one'));
  });

  it('answers that take turns are not made for clients that left before or while they wait', async () => {
    const clock = new VirtualClock();
    const memory = new AnswerMemory({ answerMemoryBytes: 100, definitionBytes: 100 } as ResolvedApiOptions, clock);
    const interceptor = new WholeAnswersInterceptor(new Reflector(), memory, healthOf('writable'));
    let made = 0;
    const answer = (response: Response) =>
      lastValueFrom(interceptor.intercept(contextOf('/', response), { handle: () => of(++made) }));
    const first = memory.begin('other');
    if (first instanceof Promise) throw new Error('It waits.');
    const [waiting, gone, patient] = [new Response(), new Response(), new Response()];
    gone.leave();
    const answers = [answer(waiting), answer(gone), answer(patient)];
    waiting.leave();
    expect(await Promise.all(answers.slice(0, 2))).toEqual([undefined, undefined]);
    expect(made).toBe(0);
    first.release();
    expect(await answers[2]).toBe(1);
    patient.leave();
    expect([memory.heldBytes, clock.pending]).toEqual([0, []]);
    expect(waiting.listenerCount('close')).toBe(0);
  });

  describe('when the store fails', () => {
    const answersWith = (status: StoreStatus) => {
      const clock = new VirtualClock();
      const memory = new AnswerMemory({ answerMemoryBytes: 100, definitionBytes: 100 } as ResolvedApiOptions, clock);
      const interceptor = new WholeAnswersInterceptor(new Reflector(), memory, healthOf(status));
      const outcome = (handle: () => Observable<unknown>) =>
        lastValueFrom(interceptor.intercept(contextOf('/'), { handle })).catch(({ code }: { code: string }) => code);
      return { clock, memory, outcome };
    };
    const outage = () => throwError(() => new StoreUnavailableError('It is out.'));
    const claimed = (memory: AnswerMemory): AnswerClaim => {
      const claim = memory.begin('other');
      if (claim instanceof Promise) throw new Error('It waits.');
      return claim;
    };

    it.each([
      // The first that waits has begun by then.
      ['unreachable', ['WM7014', 'made', 'WM7014', 'WM7014']],
      ['unwritable', ['WM7014', 'made', 'made', 'made']],
    ] as const)('answers that take turns wait no longer than the store does: %s', async (status, expected) => {
      const { clock, memory, outcome } = answersWith(status);
      const first = claimed(memory);
      let finish = (_answer: unknown): void => undefined;
      const answer = new Promise<unknown>((resolve) => (finish = resolve));
      const outcomes = [outcome(outage), ...Array.from({ length: 3 }, () => outcome(() => from(answer)))];
      first.release();
      await outcomes[0];
      await setImmediate();
      finish('made');
      expect(await Promise.all(outcomes)).toEqual(expected);
      expect(clock.pending).toEqual([]);
    });

    it.each([
      ['unreachable', 'WM7014'],
      ['writable', 'WM5080'],
    ] as const)('answers that take turns say what they have waited for: %s, %s', async (status, code) => {
      const { clock, memory, outcome } = answersWith(status);
      const first = claimed(memory);
      const late = outcome(() => of('made'));
      await clock.advance(30_000);
      expect(await late).toBe(code);
      first.release();
    });
  });
});

describe.each(ADAPTERS)('answers that take turns over %s', (adapter) => {
  const { app, call } = useServer(adapter);

  it('answers that take turns continue with the next one when a client leaves', async () => {
    const memory = app().get(AnswerMemory);
    const begin = jest.spyOn(memory, 'begin');
    const log = jest.spyOn(Logger.prototype, 'error');
    const first = memory.begin('other');
    if (first instanceof Promise) throw new Error('It waits.');
    const { port } = app().getHttpServer().address() as AddressInfo;
    const client = http.get({ port, host: '127.0.0.1', path: '/elsa/api/workflow-instances/none', agent: false });
    client.on('error', () => undefined);
    while (begin.mock.calls.length < 2) await setImmediate();
    client.destroy();
    (await (begin.mock.results[1]!.value as Promise<AnswerClaim>)).release();
    first.release();
    expect((await call('GET', '/workflow-instances/none')).status).toBe(404);
    expect(log).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});
