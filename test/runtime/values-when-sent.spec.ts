import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  activity,
  type ActivityBuilder,
  inline,
  parallel,
  sequence,
  type Steps,
  type VariableRef,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import {
  IWorkflowRuntime,
  MemoryPersistence,
  type RunTaskRequest,
  Workflow,
  type WorkflowBuilder,
  WorkflowEvent,
} from '@waymark/runtime';
import { WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { startNode, type RuntimeNode } from '../support/runtime-node.js';

class Order {
  n = 0;
}

interface Batch {
  n: number;
  readonly order: Order;
  readonly lines: Map<string, Date>;
  readonly bytes: Uint8Array;
}

const seen: unknown[] = [];
const noted = ({ n, order, lines, bytes }: Batch) =>
  void seen.push([n, order.n, lines.get('a')!.getTime(), bytes.length]);

/** Receives what the others send. */
@Workflow({ id: 'receiver' })
class Receiver implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const row = w.variable<Batch>('row');
    w.root([
      activity('Elsa.Event', { eventName: 'row' }, { canStartWorkflow: true, outputs: { result: row } }),
      inline((ctx) => noted(row.get(ctx))),
    ]);
  }
}

@Workflow({ id: 'child' })
class Child implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const batch = w.input<Batch>('batch');
    w.root([inline((ctx) => noted(batch.get(ctx)))]);
  }
}

type Row = VariableRef<Batch>;

const batch = (): Batch => ({
  n: 0,
  order: new Order(),
  lines: new Map([['a', new Date(0)]]),
  bytes: new Uint8Array([1, 2]),
});

const change = (row: Row, n: number) =>
  inline((ctx) => {
    const now = row.get(ctx);
    now.n = now.order.n = n;
    now.lines.get('a')!.setTime(n);
  });

function sends(id: string, steps: (row: Row) => Steps): new () => WorkflowBuilder {
  @Workflow({ id })
  class Sender implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      const row = w.variable<Batch>('row');
      w.root([inline((ctx) => row.set(ctx, batch())), sequence(steps(row) as ActivityBuilder[]), change(row, 9)]);
    }
  }
  return Sender;
}

/** The same object three times, changed in between. */
const thrice = (step: (row: Row) => ActivityBuilder) => (row: Row) =>
  [1, 2, 3].flatMap((n) => [change(row, n), step(row)]);
const child = { workflowDefinitionId: 'child' };
const pass = () => inline(() => undefined);
const senders = [
  sends(
    'publishes',
    thrice((payload) => activity('Elsa.PublishEvent', { eventName: 'row', payload })),
  ),
  sends(
    'dispatches',
    thrice((row) => activity('Elsa.DispatchWorkflow', { ...child, input: (s) => ({ batch: row.get(s) }) })),
  ),
  sends(
    'dispatches several',
    thrice((row) =>
      activity('Elsa.BulkDispatchWorkflows', {
        ...child,
        items: (s) => [{ batch: row.get(s) }],
        waitForCompletion: false,
      }),
    ),
  ),
  sends('asks', (row) => [
    change(row, 1),
    parallel([
      activity('Elsa.RunTask', { taskName: 'row', payload: (s) => ({ row: row.get(s) }) }),
      sequence([pass(), pass(), pass(), change(row, 9)]),
    ]),
  ]),
];

describe('an object that is sent', () => {
  let node: RuntimeNode;
  beforeEach(async () => {
    seen.length = 0;
    node = await startNode(new MemoryPersistence(), { types: [Order], providers: [Receiver, Child, ...senders] });
    node
      .get(WorkflowEventEmitter)
      .listen<RunTaskRequest>(WorkflowEvent.RunTaskRequested, ({ taskPayload }) =>
        noted((taskPayload as { row: Batch }).row),
      );
  });
  afterEach(() => node.close());

  it.each([
    ['publishes', 3],
    ['dispatches', 3],
    ['dispatches several', 3],
    ['asks', 1],
  ])(
    'arrives as it was when it was sent, whatever the same burst does to it afterwards: %s',
    async (definition, count) => {
      const client = await node.get(IWorkflowRuntime).createClient();
      expect((await client.createAndRunInstance({ definition })).incidents).toEqual([]);
      await node.settled();
      expect([...(seen as number[][])].sort(([a], [b]) => a! - b!)).toEqual(
        Array.from({ length: count }, (_, i) => [i + 1, i + 1, i + 1, 2]),
      );
    },
  );
});
