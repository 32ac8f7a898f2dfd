import { describe, expect, it } from '@jest/globals';
import { workflow } from '../execution/testing/build-definition.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';
import { activity, workflowActivity } from './activity.js';
import { flowDecision, flowFork, flowJoin, flowSwitch, ifElse, switchOn, when } from './branches.js';
import { fork, parallel, sequence } from './containers.js';
import { flowchart } from './flowchart.js';
import { breakLoop, forEach, forLoop, parallelForEach, whileLoop } from './loops.js';
import {
  complete,
  correlate,
  end,
  fault,
  finish,
  inline,
  setName,
  setOutput,
  setVariable,
  writeLine,
} from './steps.js';
import { build, load, run } from './testing/run-built.js';
import { variable } from './variable.js';

const W = writeLine;
const event = (id: string) => activity('Elsa.Event', { eventName: id }, { id });

describe('branches', () => {
  it.each([
    [12, ['large', 'both', 'end']],
    [5, ['small', 'end']],
  ])('branches of ifElse, %p', async (amount, lines) => {
    const instance = await run((w) => {
      const value = w.variable('amount', { default: amount });
      return sequence([ifElse((s) => value.get(s) > 10, [W('large'), W('both')], W('small')), W('end')]);
    });
    expect(instance.lines).toEqual(lines);
  });

  it.each([
    [1, 'MatchFirst', ['one']],
    [1, 'MatchAny', ['one', 'few']],
    [9, 'MatchAny', ['many']],
  ] as const)('branches of switchOn, %p %p', async (amount, mode, lines) => {
    const instance = await run((w) => {
      const value = w.variable('value', { default: amount as number });
      return switchOn(
        [when('One', (s) => value.get(s) === 1, W('one')), when('Few', (s) => value.get(s) < 5, [W('few')])],
        { mode, otherwise: W('many') },
      );
    });
    expect(instance.lines).toEqual(lines);
  });
});

describe('containers', () => {
  it('containers run side by side or one after the other', async () => {
    const instance = await run(() =>
      sequence([parallel([W('a'), W('b')]), fork([W('c'), [event('wait'), W('never')]], { join: 'WaitAny' }), W('d')]),
    );
    expect(instance.lines).toEqual(['a', 'b', 'c', 'd']);
    expect(instance.status).toBe('Finished');
  });

  it('containers have variables of their own in each execution', async () => {
    const instance = await run(() => {
      const own = variable<string>('own');
      return parallelForEach(['a', 'b'], (item) =>
        sequence([setVariable(own, item), event('wait'), W((s) => `${own.get(s)} is ${item.get(s)}`)], {
          variables: [own],
        }),
      );
    });
    await instance.trigger('wait');
    expect(instance.lines).toEqual(['a is a', 'b is b']);
    expect(instance.status).toBe('Finished');
  });
});

describe('loops', () => {
  it('loops give their body the current iteration', async () => {
    const instance = await run(() =>
      sequence([
        forEach(['a', 'b'], (item, index) => [W(item), W((s) => index.get(s) * 10)]),
        forLoop({ from: 3, to: 1, step: -1, inclusive: false }, (n) => W(n)),
      ]),
    );
    expect(instance.lines).toEqual(['a', '0', 'b', '10', '3', '2']);
  });

  it('loops run inside one another', async () => {
    const instance = await run((w) => {
      const outer = w.variable<string>('outer');
      const cell = forEach([1, 2], (inner) => W((s) => outer.get(s) + inner.get(s)));
      return forEach(['a', 'b'], cell, { outputs: { currentValue: outer } });
    });
    expect(instance.lines).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  it('can read the items of the enclosing loop', async () => {
    const instance = await run(() =>
      forEach(
        () => [[1, 2], [3]],
        (row) => forEach(row, (cell) => W(cell)),
      ),
    );
    expect(instance.lines).toEqual(['1', '2', '3']);
  });

  it('loops end when their condition does, or by a break', async () => {
    const instance = await run((w) => {
      const n = w.variable('n', { default: 0 });
      const count = inline((ctx) => n.set(ctx, n.get(ctx) + 1));
      return sequence([
        whileLoop((s) => n.get(s) < 2, [count, W(n)]),
        whileLoop(true, sequence([W('once'), breakLoop()])),
      ]);
    });
    expect(instance.lines).toEqual(['1', '2', 'once']);
  });
});

describe('steps', () => {
  it('steps change the instance', async () => {
    const instance = await run((w) => {
      const total = w.output<number>('total');
      w.outcomes('Large', 'Small');
      return sequence([correlate('c-1'), setName(() => 'n'), setOutput(total, () => 7), complete('Large'), W('never')]);
    });
    expect(instance.state).toMatchObject({
      correlationId: 'c-1',
      name: 'n',
      output: { total: 7 },
      subStatus: 'Finished',
    });
    expect(instance.lines).toEqual([]);
  });

  it('steps end parts or all of it', async () => {
    const instance = await run(() =>
      sequence([sequence([end(), W('never')]), W('on'), parallel([finish(), event('wait')])]),
    );
    expect(instance.lines).toEqual(['on']);
    expect(instance.status).toBe('Finished');
  });

  it('steps raise faults', async () => {
    const instance = await run(() => fault({ code: 'E7', message: () => 'no stock', type: 'Business' }));
    expect(instance.status).toBe('Faulted');
    expect(instance.state.incidents).toMatchObject([
      { message: 'no stock', exception: { metadata: { code: 'E7', category: 'General', type: 'Business' } } },
    ]);
  });
});

describe('flowcharts', () => {
  it('can loop back, and continue from several activities', async () => {
    const instance = await run((w) => {
      const n = w.variable('n', { default: 0 });
      const count = inline((ctx) => n.set(ctx, n.get(ctx) + 1), { id: 'count' });
      const enough = flowDecision((s) => n.get(s) >= 3);
      const split = flowFork(['A', 'B']);
      const a = W('a');
      const b = W('b');
      return flowchart((flow) => {
        flow.start(count).next(enough).on('False', count).on('True', W(n), split);
        flow.from(split).on('A', a).on('B', b);
        flow.from(a, b).next(flowJoin('WaitAll'), W('end'));
      });
    });
    expect(instance.lines).toEqual(['3', 'a', 'b', 'end']);
    expect(instance.status).toBe('Finished');
  });

  it('flowcharts start at the given activity, although a connection leads to it', async () => {
    const instance = await run((w) => {
      const again = w.variable('again', { default: true });
      const first = W('first');
      const isAgain = flowDecision(again);
      const other = activity('Elsa.Event', {}, { id: 'other', canStartWorkflow: true });
      return flowchart((flow) => {
        flow.from(other).next(isAgain);
        flow.start(first).next(isAgain).on('True', setVariable(again, false), first);
      });
    });
    expect(instance.lines).toEqual(['first', 'first']);
  });

  it('flowcharts follow the outcomes of a switch', async () => {
    const instance = await run(() => {
      const choice = flowSwitch([when('A', false), when('B', () => true)]);
      return flowchart((flow) => {
        flow.start(choice).on('A', W('a')).on('B', W('b')).on('Default', W('none'));
      });
    });
    expect(instance.lines).toEqual(['b']);
  });

  it('flowcharts draw a connection once, and have variables', () => {
    const { definition } = build(() => {
      const own = variable('own', { default: ['x'], type: 'String[]' });
      const a = W('a');
      const b = W((s) => own.get(s).join());
      return flowchart(
        (flow) => {
          flow.start(a).next(b);
          flow.from(a).next(b);
        },
        { variables: [own] },
      );
    });
    expect(definition.root.connections).toHaveLength(1);
    expect(definition.root.variables).toEqual([
      {
        id: 'variable-own',
        name: 'own',
        typeName: 'String[]',
        value: '["x"]',
        storageDriverTypeName: 'WorkflowInstanceStorageDriver',
      },
    ]);
  });
});

describe('a workflow as an activity', () => {
  it('receives inputs and returns outputs', async () => {
    const child = {
      ...load((w) => {
        const name = w.input<string>('Name');
        const greeting = w.output<string>('Greeting');
        w.name('Greet somebody').options({ usableAsActivity: true });
        return setOutput(greeting, (s) => `hello ${name.get(s)}`);
      }, 'greet'),
      id: 'greet:v1',
    };
    const parent = load((w) => {
      const text = w.variable<string>('text');
      return sequence([
        workflowActivity(
          'greet',
          { Name: 'mia' },
          { version: 1, outputs: { Greeting: text }, json: { workflowDefinitionVersionId: 'greet:v1' } },
        ),
        W(text),
      ]);
    }, 'parent');
    expect(child.options).toEqual({ usableAsActivity: true, autoUpdateConsumingWorkflows: false });
    const instance = await runWorkflow(workflow(parent.root, parent), { children: [child] });
    expect(instance.lines).toEqual(['hello mia']);
  });
});
