import { describe, expect, it } from '@jest/globals';
import type { ArgumentJson } from '../api/definitions.js';
import type { Instance } from '../api/instances.js';
import { inputOf } from './again.js';
import { filledIn } from './filled-in.js';
import { inputSchema } from './input-schema.js';

const kept = (name: string): ArgumentJson => ({
  name,
  type: 'String',
  storageDriverType: 'WorkflowInstanceStorageDriver',
});
const instance = (input: Readonly<Record<string, unknown>>) => ({
  workflowState: { input } as unknown as Instance['workflowState'],
});

describe('the input of an instance that is run again', () => {
  it('has what was kept, by the names that are declared', () => {
    const declared = [kept('orderId'), { ...kept('amount'), type: 'Int32' }, kept('note')];
    expect(inputOf(instance({ OrderID: '4711', amount: 12, other: true }), declared)).toEqual({
      input: { orderId: '4711', amount: 12 },
      missing: [],
    });
  });

  it('names what was not kept, and sends no placeholder of a secret', () => {
    const lost: ArgumentJson = { name: 'file', type: 'Object', displayName: 'The file' };
    const given = { token: '(redacted)', account: { iban: 'AT1', pin: '(redacted)' } };
    expect(inputOf(instance(given), [lost, kept('token'), kept('account')])).toEqual({
      input: {},
      missing: ['The file', 'token', 'account'],
    });
  });

  it('names what its field cannot show: it would be left out unseen', () => {
    const long = '9007199254740993';
    const of = [
      { name: 'account', type: 'Int64' },
      { name: 'tags', type: 'String', isArray: true },
      { name: 'note', type: 'String', defaultValue: 'none' },
    ];
    const { input, missing } = inputOf(instance({ account: long, tags: ['a', 1], note: null }), of);
    expect(missing).toEqual(['account', 'tags']);
    // Given as null, it is not the default.
    expect(filledIn(inputSchema(of)!, input)).toEqual({ note: null });
  });
});
