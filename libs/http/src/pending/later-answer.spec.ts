import { describe, expect, it, jest } from '@jest/globals';
import type { ActivityExecutionContext } from '@waymark/core';
import { KEPT_REQUESTS } from './kept-requests.js';
import { laterAnswer } from './later-answer.js';

function waiting() {
  const left = new Map<unknown, () => void>();
  const workflow = {
    id: 'i',
    transient: new Map(),
    properties: { [KEPT_REQUESTS]: [{ token: 't', isAwaited: true }] } as Record<string, unknown>,
    secrets: { known: undefined as unknown, shown: (value: unknown) => value },
    beforeStored: (key: unknown, work: () => void) => void left.set(key, work),
  };
  const settle = (): void => left.forEach((work) => work());
  const write = (body: string) =>
    laterAnswer({ workflow } as unknown as ActivityExecutionContext, 100_000)!.write({
      status: 200,
      headers: [],
      body,
    });
  return { workflow, settle, write, kept: () => workflow.properties[KEPT_REQUESTS] };
}

describe('the answer to a request of an earlier burst', () => {
  it('is put together once for each time that it is stored, however many parts it has', () => {
    const concat = jest.spyOn(Buffer, 'concat');
    try {
      const { settle, write, kept } = waiting();
      for (let part = 0; part < 10_000; part++) write('0123456789');
      expect(concat).not.toHaveBeenCalled();
      expect(kept()).toMatchObject([{ token: 't', answer: { text: '0123456789' } }]);
      settle();
      expect(concat).toHaveBeenCalledTimes(1);
      const base64 = Buffer.from('0123456789'.repeat(10_000)).toString('base64');
      expect(kept()).toEqual([{ token: 't', isAwaited: true, answer: { status: 200, headers: [], base64 } }]);
    } finally {
      concat.mockRestore();
    }
  });

  it('refuses the part with which it is too large', () => {
    const { settle, write, kept } = waiting();
    write('a'.repeat(60_000));
    expect(() => write('b'.repeat(60_000))).toThrow('The answer has 120000 bytes, and at most 100000 are kept');
    expect(write('c')).toBe(false);
    settle();
    expect(kept()).toMatchObject([{ answer: { base64: Buffer.from(`${'a'.repeat(60_000)}c`).toString('base64') } }]);
  });

  it('is lost where its parts together hold a secret', () => {
    const { workflow, settle, write, kept } = waiting();
    workflow.secrets.known = { withoutNamed: (text: string) => text.replace('ab', ''), hasEncryptedIn: () => false };
    expect(() => write('ab')).toThrow('contains a secret');
    write('a');
    write('b');
    settle();
    expect(kept()).toEqual([
      { token: 't', isAwaited: true, isLost: true, lost: { reason: 'credential', status: 200 } },
    ]);
  });
});
