import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { activity, expression, setOutput, trigger, workflowActivity, writeLine } from '@waymark/core';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { Arrived, type Build, forgetStructures, node, Rest, workflow } from './testing/code-samples.js';
import { Workflow } from './workflow-decorator.js';

beforeAll(() => Logger.overrideLogger(false));

const simple = workflow({ id: 'simple' }, (w) => w.root(writeLine('x')));

describe('triggers', () => {
  const listening = (id: string, place: string, text = 'x') =>
    workflow({ id }, (w) => w.root([trigger(Arrived, { place }, { id: 'arrived' }), writeLine(text)]));

  it('triggers are stored with the version, and kept while they stay the same', async () => {
    const { persistence } = await node().start(listening('a', 'berlin'));
    const [before] = await persistence.triggers.findMany({});
    expect(before).toMatchObject({
      name: 'App.Arrived',
      activityId: 'arrived',
      payload: { place: 'berlin' },
      workflowDefinitionVersionId: 'a:v1',
    });
    await node(persistence).start(listening('a', 'berlin', 'y'));
    expect(await persistence.triggers.findMany({})).toEqual([{ ...before, workflowDefinitionVersionId: 'a:v2' }]);
    await node(persistence).start(listening('a', 'paris'));
    expect(await persistence.triggers.findMany({})).toMatchObject([
      { payload: { place: 'paris' }, workflowDefinitionVersionId: 'a:v3' },
    ]);
  });

  it('triggers of two workflows must not be the same (WM1023)', async () => {
    const two = node().start(listening('a', 'berlin'), listening('b', 'berlin'));
    await expect(two).rejects.toMatchObject({ code: 'WM1023', definitionId: 'b' });
  });
});

describe('a workflow that uses another one', () => {
  const child = (text: string) =>
    workflow({ id: 'child' }, (w) => {
      const name = w.input<string>('Name');
      const greeting = w.output<string>('Greeting');
      w.name('Greet').options({ usableAsActivity: true });
      const source = text === 'hello' ? (s: Parameters<typeof name.get>[0]) => `hello ${name.get(s)}` : text;
      w.root(setOutput(greeting, source));
    });
  const parent = workflow({ id: 'parent', version: 1 }, (w) => {
    const text = w.variable<string>('text');
    w.root([workflowActivity('child', { Name: 'mia' }, { outputs: { Greeting: text } }), writeLine(text)]);
  });

  it('is stored after it and keeps to its version', async () => {
    const first = await node().start(parent, child('hello'));
    const { state } = await first.run('parent:v1');
    expect(state.incidents).toEqual([]);
    expect(first.lines).toEqual(['hello mia']);
    const second = await node(first.persistence).start(parent, child('hi'));
    expect(await second.versions('parent')).toEqual(['v1', 'v2 published latest']);
    await second.run('parent:v2');
    expect(second.lines).toEqual(['hi']);
    await forgetStructures(first.persistence);
    const counter = await first.persistence.definitions.changeCounter();
    await node(first.persistence).start(parent, child('hi'));
    expect(await first.persistence.definitions.changeCounter()).toBe(counter);
  });

  it('keeps to the version of its own build when it is started again beside a newer one', async () => {
    const first = await node().start(parent, child('hello'));
    await node(first.persistence).start(parent, child('hi'));
    const counter = await first.persistence.definitions.changeCounter();
    const restarted = await node(first.persistence).start(parent, child('hello'));
    expect(await first.persistence.definitions.changeCounter()).toBe(counter);
    expect(await restarted.versions('parent')).toEqual(['v1', 'v2 published latest']);
    expect(await restarted.versions('child')).toEqual(['v1', 'v2 published latest']);
  });

  it('is refused without it (WM1213)', async () => {
    await expect(node().start(parent)).rejects.toMatchObject({ code: 'WM1213', usedDefinitionId: 'child' });
    await expect(
      node().start(
        parent,
        workflow({ id: 'child' }, (w) => w.root([])),
      ),
    ).rejects.toMatchObject({ code: 'WM1213' });
  });

  it('must not be used by that in turn (WM1011)', async () => {
    const uses = (id: string, other: string) =>
      workflow({ id }, (w) => w.options({ usableAsActivity: true }).root(workflowActivity(other)));
    await expect(node().start(uses('a', 'b'), uses('b', 'a'))).rejects.toMatchObject({
      code: 'WM1011',
      definitionIds: ['a', 'b', 'a'],
      message: expect.stringContaining("'a' (Sample) → 'b' (Sample) → 'a'"),
    });
  });
});

describe('a mistake', () => {
  it.each<[string, Build, string]>([
    [
      'an unknown activity type',
      (w) => w.root(activity('Elsa.Dealy')),
      "is of type 'Elsa.Dealy', which is not registered",
    ],
    [
      'a member that the type does not have',
      (w) => w.root([activity('App.Arrived', { palce: 'x' })]),
      "Activity 'Arrived1' (App.Arrived) has no member 'palce'. It has: place.",
    ],
    [
      'an unknown type of a variable',
      (w) => void [w.variable('v', { type: 'Strnig' }), w.root([])],
      "The type 'Strnig' of variable 'v'",
    ],
    ['an unknown type of an input', (w) => void [w.input('i', { type: 'X' }), w.root([])], "The type 'X' of input 'i'"],
    [
      'a trigger that is not one',
      (w) => w.root(trigger('Elsa.WriteLine', { text: 'x' })),
      "Activity 'WriteLine1' (Elsa.WriteLine) is not a trigger",
    ],
    [
      'an invalid time',
      (w) => w.root(activity(Rest, { time: '3 dayz' })),
      "'time' of activity 'Rest1' (App.Rest): Cannot convert \"3 dayz\" to a time span (TimeSpan): write a time span such as '00:05:00', '3 days'",
    ],
    [
      'an invalid default',
      (w) => void [w.variable<unknown>('due', { type: 'DateTimeOffset', default: 'tomorrow' }), w.root([])],
      'The default of variable \'due\': Cannot convert "tomorrow" to a date (DateTimeOffset)',
    ],
    ['an expression of an unknown type', (w) => w.root(writeLine(expression('Nonsense', 'x'))), "of type 'Nonsense'"],
  ])('is found before anything is written: %s (WM1023)', async (_, build, message) => {
    const persistence = new MemoryPersistence();
    await expect(node(persistence).start(workflow({ id: 'wrong' }, build))).rejects.toMatchObject({
      code: 'WM1023',
      message: expect.stringContaining(message),
    });
    expect(await persistence.definitions.count({})).toBe(0);
  });

  it('a mistake in one workflow prevents all from being stored', async () => {
    const persistence = new MemoryPersistence();
    await expect(
      node(persistence).start(
        simple,
        workflow({ id: 'empty' }, () => undefined),
      ),
    ).rejects.toMatchObject({ code: 'WM1201' });
    expect(await persistence.definitions.count({})).toBe(0);
  });

  it('is a class without build (WM1210)', async () => {
    @Workflow()
    class Forgotten {}
    await expect(node().start(Forgotten)).rejects.toMatchObject({ code: 'WM1210', className: 'Forgotten' });
  });

  it.each([0, -1, 1.5, NaN, 2 ** 31, 1e20, '2' as never])('is the version %p (WM1043)', (version) => {
    const refusal = expect.objectContaining({ code: 'WM1043', message: expect.stringContaining(`not ${version}.`) });
    expect(() => workflow({ version }, () => undefined)).toThrow(refusal);
    expect(() => workflow({ version: 2 ** 31 - 1 }, () => undefined)).not.toThrow();
  });

  it('has no options with unknown names (WM1091)', () => {
    const message = "@Workflow() of class Mistyped has no option 'verson'. Did you mean 'version'?";
    expect(() => {
      @Workflow({ verson: 2 } as object)
      class Mistyped {}
      return Mistyped;
    }).toThrow(expect.objectContaining({ code: 'WM1091', message }));
  });

  it('is not a class that only inherits from a workflow', async () => {
    class Derived extends simple {}
    const { persistence } = await node().start(Derived);
    expect(await persistence.definitions.count({})).toBe(0);
  });
});
