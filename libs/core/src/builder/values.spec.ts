import { describe, expect, it } from '@jest/globals';
import { Activity, Input, Output } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';
import { activity, trigger } from './activity.js';
import type { ActivityMembers } from './activity-builder.js';
import { sequence } from './containers.js';
import { inline, setVariable, writeLine } from './steps.js';
import { build, load, run } from './testing/run-built.js';
import { expression, js, liquid, literal } from './value.js';

const seen: unknown[] = [];

@Activity()
class Show extends ActivityBase {
  @Input() value: unknown;
  @Input({ type: 'List<String>' }) list: readonly string[] | null;
  @Input({ type: 'ObjectDictionary' }) map: Record<string, unknown> | null;
  @Input({ type: 'DateTimeOffset' }) date: Date | null;
  @Input({ type: 'Int64' }) big: bigint | null;
  @Input({ type: 'Boolean', defaultValue: true }) flag: boolean | null;
  @Input({ isWrapped: false }) plain: { a: number } | undefined;
  @Output() result: unknown;

  execute(): void {
    const { value, list, map, date, big, flag, plain } = this;
    seen.push({ value, list, map, date, big, flag, plain });
  }
}

async function shown(members: ActivityMembers<Show>): Promise<unknown> {
  seen.length = 0;
  const instance = await run(() => activity(Show, members), { activities: [Show] });
  expect(instance.state.incidents).toEqual([]);
  return seen[0];
}

describe('values of inputs', () => {
  it.each<[string, unknown]>([
    ['text', 'a'],
    ['text that looks like JSON', '{"a":1}'],
    ['a number', 1.5],
    ['a flag', false],
    ['null', null],
    ['an object', { a: [1, { b: null }] }],
    ['a list', [1, 'x']],
  ])('values of inputs pass on a constant unchanged: %s', async (_, value) => {
    expect(await shown({ value: value as string })).toMatchObject({ value });
  });

  it('values of inputs convert constants to the type of the input', async () => {
    const date = new Date('2026-01-02T03:04:05.006Z');
    expect(await shown({ list: ['a', 'b'], map: { a: 1 }, date, big: 12n, plain: { a: 1 } })).toMatchObject({
      list: ['a', 'b'],
      map: { a: 1 },
      date,
      big: 12,
      plain: { a: 1 },
    });
  });

  it('distinguish null from undefined', async () => {
    expect(await shown({ flag: undefined })).toMatchObject({ flag: true });
    expect(await shown({ flag: null })).toMatchObject({ flag: null });
  });

  it('values of inputs give each execution an object of its own', async () => {
    const given = { list: [1] };
    const first = (await shown({ value: given })) as { value: typeof given };
    first.value.list.push(2);
    expect(await shown({ value: given })).toMatchObject({ value: { list: [1] } });
  });

  it('values of inputs come from functions, also asynchronous ones', async () => {
    expect(await shown({ value: () => 1, list: async () => ['a'] })).toMatchObject({ value: 1, list: ['a'] });
  });

  it('values of inputs are written as expressions of their syntax', () => {
    const expressionOf = (value: object) => {
      const { value: written } = build(() => activity(Show, { value })).definition.root;
      return (written as { expression: unknown }).expression;
    };
    expect(expressionOf(js('1 + 1'))).toEqual({ type: 'JavaScript', value: '1 + 1' });
    expect(expressionOf(liquid('{{ 1 }}'))).toEqual({ type: 'Liquid', value: '{{ 1 }}' });
    expect(expressionOf(literal('x'))).toEqual({ type: 'Literal', value: 'x' });
    expect(expressionOf(expression('Secret', 'key'))).toEqual({ type: 'Secret', value: 'key' });
  });
});

describe('variables, inputs and outputs', () => {
  it('variables, inputs and outputs are read and set', async () => {
    const instance = await run(
      (w) => {
        const name = w.input<string>('name');
        const greeting = w.variable<string>('greeting');
        const count = w.variable('count', { default: 1 });
        return sequence([
          setVariable(greeting, (scope) => `hello ${name.get(scope)}`),
          writeLine(greeting),
          inline((ctx) => count.set(ctx, count.get(ctx) + 1)),
          writeLine(count),
          writeLine(name),
        ]);
      },
      { request: { input: { name: 'mia' } } },
    );
    expect(instance.lines).toEqual(['hello mia', '2', 'mia']);
  });

  it('variables, inputs and outputs accept the result of a function', async () => {
    const instance = await run((w) => {
      const [now, later] = [w.variable<number>('now'), w.variable<string>('later')];
      return sequence([
        inline(() => 42, { outputs: { result: now } }),
        inline(() => Promise.resolve('soon'), { outputs: { result: later } }),
        inline(() => undefined, { outputs: { result: later } }),
        writeLine((scope) => `${now.get(scope)} ${later.get(scope)}`),
      ]);
    });
    expect(instance.lines).toEqual(['42 soon']);
  });

  it('variables, inputs and outputs have defaults of their type, with a value of its own for each instance', async () => {
    const { definition } = build((w) => {
      w.variable('text', { default: 'a' });
      w.variable('number', { default: 1 });
      w.variable('whole', { default: 1, type: 'Int32' });
      w.variable('flag', { default: false });
      w.variable('when', { default: new Date(0) });
      w.variable('big', { default: 1n });
      w.variable('list', { default: [1, 2] });
      w.variable('texts', { default: ['a'], type: 'String[]' });
      w.variable('map', { default: { a: 1 } });
      w.variable('anything', { storage: 'memory' });
      return sequence([]);
    });
    expect(definition.variables.map((v) => [v.name, v.typeName, v.isArray, v.value])).toEqual([
      ['text', 'String', false, 'a'],
      ['number', 'Double', false, '1'],
      ['whole', 'Int32', false, '1'],
      ['flag', 'Boolean', false, 'False'],
      ['when', 'DateTimeOffset', false, '1970-01-01T00:00:00.000Z'],
      ['big', 'Int64', false, '1'],
      ['list', 'Object', true, '[1,2]'],
      ['texts', 'String', true, '["a"]'],
      ['map', 'ObjectDictionary', false, '{"a":1}'],
      ['anything', 'Object', false, undefined],
    ]);
    expect(definition.variables.at(-1)?.storageDriverTypeName).toBe('MemoryStorageDriver');
    const instance = await run((w) => {
      const map = w.variable('map', { default: { a: 1 } });
      const list = w.variable('list', { default: [1, 2] });
      return sequence([writeLine((s) => map.get(s).a + list.get(s).length)]);
    });
    expect(instance.lines).toEqual(['3']);
  });

  it('variables, inputs and outputs fault an activity that reads a variable which its version does not have', async () => {
    const definition = load((w) => {
      const renamed = w.variable<string>('renamed');
      return writeLine((scope) => renamed.get(scope));
    });
    const instance = await runWorkflow({ ...definition, variables: [] });
    expect(instance.state.incidents[0]?.exception?.innerException).toMatchObject({ metadata: { code: 'WM2032' } });
  });
});

describe('settings', () => {
  it('settings are those of the node', () => {
    const { definition } = build(() =>
      trigger(
        'Elsa.Event',
        { eventName: 'x' },
        {
          id: 'start',
          name: 'Start',
          displayText: 'On x',
          description: 'why',
          runAsynchronously: true,
          retry: { maxAttempts: 3, delay: '5s', backoff: 'Constant' },
          customProperties: { a: 1 },
          metadata: { designer: { position: { x: 1, y: 2 } } },
          json: { extra: [1] },
        },
      ),
    );
    expect(definition.root).toEqual({
      type: 'Elsa.Event',
      id: 'start',
      name: 'Start',
      extra: [1],
      eventName: { typeName: null, expression: { type: 'Literal', value: 'x' } },
      customProperties: {
        canStartWorkflow: true,
        runAsynchronously: true,
        retryPolicy: { maxAttempts: 3, delay: '5s', backoff: 'Constant' },
        a: 1,
      },
      metadata: { displayText: 'On x', description: 'why', designer: { position: { x: 1, y: 2 } } },
    });
  });

  it('settings have one policy of retries', () => {
    const settings = { retry: { maxAttempts: 3 }, customProperties: { retryPolicy: { maxAttempts: 2 } } };
    expect(() => activity('Elsa.Event', { eventName: 'x' }, settings)).toThrow(
      expect.objectContaining({ code: 'WM1092', option: 'retry', other: 'customProperties.retryPolicy' }),
    );
  });

  it('settings bind outputs of an activity that is known by name', async () => {
    const instance = await run((w) => {
      const payload = w.variable<string>('payload');
      const event = activity('Elsa.Event', { eventName: 'x' }, { id: 'event', outputs: { result: payload } });
      return sequence([event, writeLine(payload)]);
    });
    await instance.trigger('event', 'ping');
    expect(instance.lines).toEqual(['ping']);
  });
});
