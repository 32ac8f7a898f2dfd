import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { textGlobals } from '../globals/text-globals.js';
import { workflowGlobals } from '../globals/workflow-globals.js';
import { JavaScriptEvaluator } from '../javascript-evaluator.js';
import type { TestScope, TestScopeParts } from '../test-scope.spec.js';
import { DirectScript, LEFT_TO_SANDBOX } from './direct-script.js';

export const globals = new Map([...workflowGlobals, ...textGlobals].map((g) => [g.name, g]));
const sandbox = new JavaScriptEvaluator({ sandboxOnly: true });

/** The value, or {@link LEFT_TO_SANDBOX}. */
export function direct(source: string, scope: TestScope): unknown {
  const script = DirectScript.compile(source, globals);
  return script ? script.evaluate(scope, undefined) : LEFT_TO_SANDBOX;
}

/** All there is to tell apart: order and kind of members, negative zeros, prototypes. */
export function shown(value: unknown): string {
  return inspect(value, { depth: null, maxStringLength: null, maxArrayLength: null });
}

/** What the sandbox says, in the same form. */
export async function inSandbox(source: string, scope: TestScope): Promise<string> {
  try {
    return shown(await sandbox.compile(source)(scope));
  } catch (error) {
    return `failed: ${String(error)}`;
  }
}

/** A scope with some of everything. */
export const parts = (): TestScopeParts => ({
  variables: {
    x: 41,
    Name: 'Ann',
    empty: '',
    nothing: null,
    minus: -0,
    flag: true,
    list: [3, 'b', null, { d: 1 }],
    Order: {
      id: 7,
      customer: { name: 'Bob', tags: ['a', 'b'] },
      when: new Date(5),
      none: undefined,
      '2': 'two',
      '1': 'one',
    },
    when: new Date(1_700_000_000_000),
    big: 5n,
    bytes: new Uint8Array([1, 2]),
    lines: [
      { sku: 'a', price: 2.5, qty: 1, tags: ['y', 'x'] },
      { sku: 'b', price: 10, qty: 3, tags: [] },
      { sku: 'c', price: 0.1, qty: 2, tags: ['z'] },
    ],
    map: new Map([['k', 1]]),
    long: 'x'.repeat(30_000),
    surrogate: 'a\ud800b',
  },
  inputs: { In: 'input', amount: '250' },
  args: { item: { id: 9 } },
  outputs: { Step1: { Result: { ok: true }, StatusCode: 200 } },
  lastResult: [1, { a: null }],
});

// Other specs import this file; its own test belongs to it alone.
if (expect.getState().testPath?.endsWith('both-ways.spec.ts')) {
  test('different values are shown differently', () => {
    expect(new Set([-0, 0, '0', [0], { 0: 0 }, Object.create(null), {}].map(shown)).size).toBe(7);
  });
}
