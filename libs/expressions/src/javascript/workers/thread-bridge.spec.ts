import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import type { Packed } from '../transfer/pack.js';
import { type CallAnswer, Control, CONTROL_BYTES, type ThreadData, type ThreadReport } from './messages.js';
import { ThreadBridge } from './thread-bridge.js';
import { ThreadEvaluation } from './thread-evaluation.js';

describe('a call of a thread', () => {
  /** Each call is answered by its own text, after what `before` has done. */
  function askTwice(before: (answer: (number: number, packed: Packed) => void, number: number) => void): Packed[] {
    const control = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES));
    const { port1, port2 } = new MessageChannel();
    const answer = (number: number, packed: Packed): void => {
      port1.postMessage({ number, packed, hostMs: 0, isTooMuch: false } satisfies CallAnswer);
      Atomics.add(control, Control.Answered, 1);
    };
    const report = (message: ThreadReport): void => {
      if (message.kind !== 'call') return;
      before(answer, message.number);
      answer(message.number, `s${message.call.slice(3)}`);
    };
    const data = { control, answers: port2, options: { memoryMb: 24, maxResultValues: 1000 } } as unknown as ThreadData;
    const bridge = new ThreadBridge([{ name: 'ask', isLocal: false }], data, report);
    const evaluation = new ThreadEvaluation(1, undefined, { timeoutMs: 1000, blockingMs: 1000 }, control);
    const answers = ['a', 'b'].map((text) => bridge.answer(evaluation, `0\u0001s${text}`, () => 0));
    port1.close();
    return answers;
  }

  it('gets its own answer', () => {
    expect(askTwice(() => undefined)).toEqual(['sa', 'sb']);
  });

  it('gets no answer of an earlier call that was left behind', () => {
    expect(askTwice((answer, number) => answer(number - 1, 'sstale'))).toEqual(['sa', 'sb']);
  });
});
