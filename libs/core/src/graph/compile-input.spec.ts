import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { builtinExpressions } from '../expressions/builtin-expressions.js';
import type { Expression, ExpressionHandler } from '../expressions/expression.js';
import { ExpressionRegistry } from '../expressions/expression-registry.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import { JsonSyntaxError } from '../values/json-text.js';
import { compileInput } from './compile-input.js';

const handler = (type: string, compile: ExpressionHandler['compile']): ExpressionHandler => ({
  descriptor: { type, displayName: type, isSerializable: true, isBrowsable: true, properties: {} },
  compile,
});
let compiled = 0;
/** Counts how often it is compiled; its value is the variable of that name. */
const counting = handler('Counting', ({ value }) => {
  compiled++;
  return (scope) => scope.getVariable(String(value));
});

function dictionary(value: unknown, handlers: readonly ExpressionHandler[] = []): (scope: ExpressionScope) => unknown {
  const expressions = new ExpressionRegistry([...builtinExpressions, counting, ...handlers]);
  const facts = { name: 'Values', propertyName: 'values', typeName: 'ObjectDictionary', autoEvaluate: true };
  const input = compileInput(
    { typeName: 'ObjectDictionary', expression: { type: 'Object', value } satisfies Expression },
    { ...facts, defaultValue: undefined, isSensitive: false, isSerializable: true },
    { expressions, types: createDefaultTypeRegistry() },
  );
  return input.evaluate!;
}
const scope = (x: unknown): ExpressionScope =>
  ({ getVariable: () => x }) as Partial<ExpressionScope> as ExpressionScope;

describe('a dictionary whose entries are expressions', () => {
  const text = JSON.stringify({ a: { type: 'Counting', value: 'x' }, b: 1, c: { list: [1] }, d: { type: 'Other' } });

  it('is read and compiled once, and evaluated each time', () => {
    compiled = 0;
    const evaluate = dictionary(text);
    expect(evaluate(scope(1))).toEqual({ a: 1, b: 1, c: { list: [1] }, d: { type: 'Other' } });
    expect(evaluate(scope('two'))).toEqual({ a: 'two', b: 1, c: { list: [1] }, d: { type: 'Other' } });
    expect(compiled).toBe(1);
  });

  it('shares nothing between executions', () => {
    for (const source of [text, '{"c":{"list":[1]}}']) {
      const evaluate = dictionary(source);
      const first = evaluate(scope(1)) as { c: { list: number[] } };
      first.c.list.push(2);
      expect((evaluate(scope(1)) as typeof first).c.list).toEqual([1]);
    }
  });

  it('awaits asynchronous entries', async () => {
    expect(await dictionary(text)(scope(Promise.resolve(5)))).toMatchObject({ a: 5, b: 1 });
  });

  it('makes each entry wait for its turn when the current turn is over', async () => {
    const order: string[] = [];
    let isOver = false;
    const turn = () => {
      if (!isOver) return undefined;
      order.push('waits');
      return Promise.resolve();
    };
    const getVariable = (name: string) => {
      isOver = true;
      order.push(name);
      return name;
    };
    const three = JSON.stringify(
      Object.fromEntries(['x', 'y', 'z'].map((name) => [name, { type: 'Counting', value: name }])),
    );
    const evaluate = dictionary(three);
    const waiting = evaluate({ getVariable, turn } as Partial<ExpressionScope> as ExpressionScope);
    expect(order).toEqual(['x', 'waits']);
    expect(await waiting).toEqual({ x: 'x', y: 'y', z: 'z' });
    expect(order).toEqual(['x', 'waits', 'y', 'waits', 'z']);
  });

  it('evaluates no entry before the one above it has its value, so that none fails without a handler', async () => {
    const asked: string[] = [];
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    const late = nextTurn().then(() => Promise.reject(new Error('late')));
    const getVariable = (name: string): unknown => {
      asked.push(name);
      if (name === 'fails') throw new Error('at once');
      return late;
    };
    const entries = { a: { type: 'Counting', value: 'waits' }, b: { type: 'Counting', value: 'fails' } };
    process.on('unhandledRejection', note);
    try {
      const evaluate = dictionary(JSON.stringify(entries));
      await expect(async () =>
        evaluate({ getVariable } as Partial<ExpressionScope> as ExpressionScope),
      ).rejects.toThrow('late');
      await nextTurn();
      expect([asked, unhandled]).toEqual([['waits'], []]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('is read anew when another handler gives it, which is asked once', () => {
    let asked = 0;
    const evaluate = dictionary('', [handler('Object', () => (s) => (asked++, s.getVariable('x')))]);
    expect(evaluate(scope({ a: { type: 'Counting', value: 'x' } }))).toEqual({
      a: { a: { type: 'Counting', value: 'x' } },
    });
    expect(evaluate(scope({ a: 2 }))).toEqual({ a: 2 });
    expect(asked).toBe(2);
  });

  it('a dictionary that is not JSON fails each time it is evaluated', () => {
    const evaluate = dictionary('{"a":');
    for (let i = 0; i < 2; i++) expect(() => evaluate(scope(1))).toThrow(JsonSyntaxError);
  });
});

it('an expression that no handler knows fails when it is evaluated, and names its type', () => {
  const facts = { name: 'Text', propertyName: 'text', typeName: 'String', autoEvaluate: true };
  const { evaluate } = compileInput(
    { typeName: 'String', expression: { type: 'Klingon', value: 'x' } },
    { ...facts, defaultValue: undefined, isSensitive: false, isSerializable: true },
    { expressions: new ExpressionRegistry(builtinExpressions), types: createDefaultTypeRegistry() },
  );
  expect(() => evaluate!(scope(1))).toThrow(
    expect.objectContaining({ code: 'WM2013', message: expect.stringContaining("'Klingon'") }),
  );
});
