import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { VirtualClock } from '@waymark/testing';
import { ApiServer } from '../module/api-harness.spec.js';
import { AnswerReaders } from './answer-readers.js';

describe('clients that read slowly', () => {
  it('clients that read slowly are not watched by an application that was closed, although a response of inject() never emits close', async () => {
    const clock = new VirtualClock();
    const api = await ApiServer.start('fastify', {}, { clock });
    const response = Object.assign(new EventEmitter(), { writableLength: 1, socket: null });
    api.app.get(AnswerReaders).watch(response as unknown as ServerResponse);
    const watching = clock.pending.length;
    await api.close();
    expect([watching > 0, clock.pending]).toEqual([true, []]);
  });
});
