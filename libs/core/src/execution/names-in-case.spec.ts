import type { ExpressionScope } from '../expressions/expression-scope.js';
import { act, event, seq, variable, W, workflow } from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

const STORED = [true, false];
const set = (id: string, values: Record<string, unknown>) =>
  W(id, (s) => {
    for (const [name, value] of Object.entries(values)) s.setVariable(name, value);
    return id;
  });
const show = (names: string[]) => W('show', (s: ExpressionScope) => names.map((n) => String(s.getVariable(n))).join());

describe.each(STORED)('variables whose names differ in case only (stored in between: %s)', (isStored) => {
  it.each<[string, Record<string, unknown>, string]>([
    ['the first letter', { OrderId: 1, orderId: 2 }, '1,2'],
    ['a run of capitals', { URL: 'a', Url: 'b', url: 'c' }, 'a,b,c'],
    ['one of them null', { OrderId: 1, orderId: null }, '1,null'],
    ['the other one null', { orderId: null, OrderId: 1, OrderID: 3 }, 'null,1,3'],
  ])('keep their values over a wait: %s', async (_, values, expected) => {
    const run = await new WorkflowTest({ isStored }).start(
      workflow(seq('S', [set('set', values), event('wait'), show(Object.keys(values))])),
    );
    await run.trigger('wait');
    expect(run.lines).toEqual(['set', expected]);
  });

  it('keep their values beside one that is declared', async () => {
    const declared = { ...variable('orderId'), id: 'orderIdVariable' };
    const inner = seq('I', [set('set', { orderId: 1, OrderId: 2 }), event('wait'), show(['orderId', 'OrderId'])]);
    const run = await new WorkflowTest({ isStored }).start(workflow(seq('S', [inner]), { variables: [declared] }));
    expect(run.context.rootContext!.slots!.map(({ value }) => value)).toEqual([1]);
    await run.trigger('wait');
    expect(run.lines).toEqual(['set', '1,2']);
  });

  it('such variables are kept for what undoes a step', async () => {
    const undo = seq('U', [event('wait'), show(['OrderId', 'orderId'])]);
    const step = act('Waymark.Compensable', 'C', { body: set('set', { OrderId: 1, orderId: 2 }), undo });
    const run = await new WorkflowTest({ isStored }).start(
      workflow(seq('S', [set('first', { OrderId: 0, orderId: 0 }), step, act('Fault', 'F', {})])),
    );
    await run.trigger('wait');
    expect(run.lines).toEqual(['first', 'set', '1,2']);
  });
});

it('variables that are given to a test run keep names that differ in case only', async () => {
  const run = await new WorkflowTest().start(seq('S', [event('wait'), show(['OrderId', 'orderId'])]), {
    variables: { OrderId: 1, orderId: 2 },
  });
  await run.trigger('wait');
  expect(run.lines).toEqual(['1,2']);
});
