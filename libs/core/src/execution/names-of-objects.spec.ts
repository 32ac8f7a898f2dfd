import { describe, expect, it } from '@jest/globals';
import { syntheticName } from '../activities/synthetic-name.js';
import * as b from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

const STORAGE = 'WorkflowInstanceStorageDriver';
const variable = (name: string) => ({ ...b.variable(name), id: name });
const input = (name: string) => ({ name, type: 'Object', storageDriverType: STORAGE }) as never;
const output = (name: string) => ({ name, type: 'Object' }) as never;
/** An object literal would set the prototype. */
const objectWith = (name: string, value: unknown) => Object.fromEntries([[name, value]]);
const shown = (value: unknown) => JSON.stringify(value);

describe.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('what is named %s', (name) => {
  it('stays a variable, an input and an output of a workflow that was stored', async () => {
    const root = b.seq('Root', [
      b.act('SetVariable', 'Set', { variable: { id: name, name }, value: b.code(() => ({ v: 1 })) }),
      b.setOutput('Before', name, () => ({ o: 2 })),
      b.event('Wait'),
      b.W('Shown', (scope) => shown([scope.getVariable(name), scope.getInput(name)])),
    ]);
    const definition = b.workflow(root, {
      variables: [variable(name)],
      inputs: [input(name)],
      outputs: [output(name)],
    });
    const instance = await new WorkflowTest().start(definition, { input: objectWith(name, { i: 3 }) });
    await instance.trigger('Wait');
    expect([instance.status, instance.lines]).toEqual(['Finished', ['[{"v":1},{"i":3}]']]);
    expect(Object.entries(instance.state.output)).toEqual([[name, { o: 2 }]]);
  });

  it('stays an input and an output of a workflow that is used as an activity', async () => {
    const child = b.workflow(
      b.seq('ChildRoot', [
        b.event('Wait'),
        b.W('Shown', (scope) => shown(scope.getInput(name) ?? scope.getVariable(name))),
        b.setOutput('After', name, () => ({ o: 2 })),
      ]),
      { definitionId: 'child', inputs: [input(name)], outputs: [output(name)] },
    );
    const use = b.sub(
      'Use',
      child,
      objectWith(
        syntheticName(name),
        b.code(() => ({ i: 3 })),
      ),
    );
    const instance = await new WorkflowTest({ children: [child] }).start(b.seq('Root', [use]));
    await instance.trigger('Wait');
    expect([instance.status, instance.lines]).toEqual(['Finished', ['{"i":3}']]);
  });

  it('is an output without a value where a workflow that is used as an activity sets none', async () => {
    const child = b.workflow(b.seq('ChildRoot', []), { definitionId: 'child', outputs: [output(name)] });
    const instance = await new WorkflowTest({ children: [child] }).start(b.seq('Root', [b.sub('Use', child)]));
    const record = instance.context.journal!.take().records.find((one) => one.activityId === 'Use')!;
    expect([instance.status, Object.entries(record.outputs ?? {})]).toEqual(['Finished', [[name, null]]]);
  });
});
