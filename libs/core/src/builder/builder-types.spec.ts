import { expect, it } from '@jest/globals';
import { Activity, Children, Input, Output, Port } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { activity } from './activity.js';
import type { ActivityBuilder } from './activity-builder.js';
import { ifElse } from './branches.js';
import { CompositeBase } from './composite-base.js';
import { sequence } from './containers.js';
import { forEach } from './loops.js';
import { setOutput, setVariable, writeLine } from './steps.js';
import { js } from './value.js';
import { WorkflowDefinitionBuilder } from './workflow-definition-builder.js';

// What the compiler accepts and refuses; the functions are checked, never called.

@Activity()
class Approval extends ActivityBase {
  @Input() requestId: string;
  @Input() days?: number | null;
  @Input() anything: unknown;
  @Input() mode: 'fast' | 'safe';
  @Output() decidedBy?: string;
  @Output() report: unknown;
  @Port() body: ActivityNode | undefined;
  @Children() branches: ActivityNode[];

  constructor(private readonly mail: { send(): void }) {
    super();
  }

  execute(): void {
    this.mail.send();
  }
}

@Activity()
class Remind extends ActivityBase {
  @Input() at: Date;
  @Input() until?: Date | null;

  execute(): void {}
}

@Activity()
class Rate extends CompositeBase {
  @Input() amount: number;

  define(): ActivityBuilder[] {
    return [];
  }
}

interface Order {
  id: string;
  amount: number;
}

const needed = { requestId: js<string>('x'), mode: 'fast' } as const;

export function accepted(w: WorkflowDefinitionBuilder): void {
  const id = w.input<string>('id');
  const order = w.variable<Order>('order');
  const orders = w.variable<Order[]>('orders');
  const by = w.variable<string | null>('by');
  const count = w.variable('count', { default: 0 });
  const total = w.output<number>('total');
  activity(Approval, { requestId: 'x', days: 3, mode: 'fast' });
  activity(Approval, { requestId: id, days: count, mode: () => 'safe' });
  activity(Approval, { requestId: (scope) => order.get(scope).id, days: async () => 1, mode: 'safe' });
  activity(Approval, { ...needed, days: js<number>('1'), anything: (scope) => scope.correlationId });
  activity(Approval, { ...needed, anything: order, body: writeLine('x'), branches: [writeLine('y')] });
  activity(Approval, { ...needed, body: [writeLine('x'), writeLine('y')] });
  activity(Approval, needed, { outputs: { decidedBy: by, report: order } });
  activity(Rate, { amount: count });
  activity(Remind, { at: '2030-01-31', until: (scope) => order.get(scope).id });
  activity(Remind, { at: async () => new Date(), until: id });
  activity(Remind, { at: w.input<Date>('at'), until: js<string>('x') });
  activity(Remind, { at: id, until: () => null });
  activity('Elsa.Delay', { timeSpan: '00:05:00', other: (scope) => scope.correlationId });
  setVariable(count, (scope) => count.get(scope) + 1);
  setVariable(by, null);
  setVariable(order, js('x'));
  setOutput(total, count);
  forEach(orders, (item) => writeLine((scope) => item.get(scope).amount));
  forEach(['a'], (item) => activity(Approval, { ...needed, requestId: item }));
  forEach(
    (scope) => orders.get(scope),
    (item) => setVariable(order, item),
  );
  ifElse((scope) => order.get(scope).amount > 1, sequence([]));
  w.root(Approval, { ...needed, requestId: id });
}

export function refused(w: WorkflowDefinitionBuilder): void {
  const order = w.variable<Order>('order');
  const by = w.variable<string>('by');
  const count = w.variable('count', { default: 0 });
  const total = w.output<number>('total');
  // @ts-expect-error -- no such input
  activity(Approval, { ...needed, requestID: 'x' });
  // @ts-expect-error -- not of its type
  activity(Approval, { ...needed, requestId: 1 });
  // @ts-expect-error -- a variable of another type
  activity(Approval, { ...needed, requestId: count });
  // @ts-expect-error -- a function that gives another type
  activity(Approval, { ...needed, requestId: () => 1 });
  // @ts-expect-error -- a script said to give another type
  activity(Approval, { ...needed, requestId: js<number>('1') });
  // @ts-expect-error -- none of the values
  activity(Approval, { ...needed, mode: 'slow' });
  // @ts-expect-error -- a constant that is not a date
  activity(Remind, { at: 'tomorrow' });
  // @ts-expect-error -- a function that gives neither a date nor text
  activity(Remind, { at: () => 1 });
  // @ts-expect-error -- a variable of another type
  activity(Remind, { at: count });
  // @ts-expect-error -- methods are no members
  activity(Approval, { ...needed, execute: () => 1 });
  // @ts-expect-error -- nor are injected services
  activity(Approval, { ...needed, mail: { send: () => {} } });
  // @ts-expect-error -- nor is what each activity inherits
  activity(Approval, { ...needed, unrecordedProperties: ['a'] });
  // @ts-expect-error -- nor the activity that a composite makes of its steps
  activity(Rate, { amount: 1, root: writeLine('x') });
  // @ts-expect-error -- a port takes activities
  activity(Approval, { ...needed, body: 'x' });
  // @ts-expect-error -- a list of activities takes them, too
  activity(Approval, { ...needed, branches: ['x'] });
  // @ts-expect-error -- no such output
  activity(Approval, needed, { outputs: { decided: by } });
  // @ts-expect-error -- the variable does not take what the output gives
  activity(Approval, needed, { outputs: { decidedBy: count } });
  activity(Approval, needed, { retry: { maxAttempts: 3, delay: '5s', backoff: 'Constant' } });
  // @ts-expect-error -- no such way to wait
  activity(Approval, needed, { retry: { maxAttempts: 3, backoff: 'Sometimes' } });
  // @ts-expect-error -- an input cannot be assigned to
  activity(Approval, needed, { outputs: { decidedBy: w.input<string>('i') } });
  // @ts-expect-error -- not what the variable holds
  setVariable(count, 'x');
  // @ts-expect-error -- not what the variable holds
  setVariable(order, count);
  // @ts-expect-error -- not what the output takes
  setOutput(total, by);
  // @ts-expect-error -- an output cannot be read
  writeLine(total);
  // @ts-expect-error -- an object has no text
  writeLine(order);
  // @ts-expect-error -- the item is no text
  forEach([1], (item) => activity(Approval, { ...needed, requestId: item }));
  // @ts-expect-error -- not a list
  forEach(count, writeLine('x'));
  // @ts-expect-error -- the default decides the type
  by.set({ expressionScope: undefined as never }, 1);
  // @ts-expect-error -- a condition is true or false
  ifElse(count, sequence([]));
  // @ts-expect-error -- an input is missing
  activity(Approval, { requestId: 'x' });
  // @ts-expect-error -- all are missing
  activity(Approval);
  // @ts-expect-error -- no such input of the root
  w.root(Approval, { ...needed, request: 'x' });
}

it('is checked by the compiler', () => {
  expect(accepted).not.toBe(refused);
});
