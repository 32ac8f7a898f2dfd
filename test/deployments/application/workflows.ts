import {
  activity,
  correlate,
  inline,
  sequence,
  setOutput,
  setVariable,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
} from '@waymark/nestjs';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import { DispatchWorkflow, Event, ExecuteWorkflow } from '@waymark/runtime';
import { Delay, Timer } from '@waymark/scheduling';
import { Effect } from './activities.js';

/** What comes before the parts that differ: a request with an id, which is the correlation id of the instance. */
export function requested(w: WorkflowDefinitionBuilder, path: string, body = w.variable<{ id: string }>('body')) {
  return [
    trigger(HttpEndpoint, { path, supportedMethods: ['POST'] }, { id: 'requested', outputs: { parsedContent: body } }),
    correlate((scope) => body.get(scope).id),
    activity(Effect, { label: () => 'requested' }, { id: 'noted' }),
    activity(WriteHttpResponse, { content: (scope) => body.get(scope).id }, { id: 'answered' }),
  ];
}

/** Waits for an event that says how it continues. */
@Workflow({ id: 'order' })
export class Order implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const total = w.variable('total', { default: 0 });
    w.root(
      sequence([
        ...requested(w, 'orders'),
        setVariable(total, (scope) => total.get(scope) + 1),
        activity(Event, { eventName: 'go-on' }, { id: 'paid' }),
        activity(Effect, { label: (scope) => `order ${total.get(scope)}` }, { id: 'closed' }),
      ]),
    );
  }
}

/** Changed by the next release: a step more. */
@Workflow({ id: 'approval' })
export class Approval implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        ...requested(w, 'approvals'),
        activity(Event, { eventName: 'go-on' }),
        activity(Effect, { label: () => 'approval of release 1' }),
      ]),
    );
  }
}

/** Changed by the next release: the body of a function, with a version that is stated. */
@Workflow({ id: 'shipment', version: 1 })
export class Shipment implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        activity(Effect, { label: () => 'packed' }, { id: 'packed' }),
        activity(Delay, { timeSpan: '00:00:00.3' }, { id: 'travel' }),
        activity(Effect, { label: () => 'shipment of release 1' }, { id: 'sent' }),
      ]),
    );
  }
}

/** Waits for a child that another node may run. */
@Workflow({ id: 'delivery' })
export class Delivery implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        ...requested(w, 'deliveries'),
        activity(DispatchWorkflow, { workflowDefinitionId: 'shipment', waitForCompletion: true }, { id: 'shipment' }),
        activity(Effect, { label: () => 'delivered' }, { id: 'delivered' }),
      ]),
    );
  }
}

/** Changed by the next release: an activity of a type that this one does not have. */
@Workflow({ id: 'reminder' })
export class Reminder implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        ...requested(w, 'reminders'),
        activity(Delay, { timeSpan: '00:00:00.4' }),
        activity(Effect, { label: () => 'reminder of release 1' }),
      ]),
    );
  }
}

/** Waits in the middle for another request. Changed by the next release: a step more behind it. */
@Workflow({ id: 'negotiation' })
export class Negotiation implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const body = w.variable<{ id: string }>('body');
    w.root(
      sequence([
        ...requested(w, 'negotiations', body),
        activity(HttpEndpoint, { path: (scope) => `offers/${body.get(scope).id}`, supportedMethods: ['POST'] }),
        activity(Effect, { label: () => 'negotiation of release 1' }),
        activity(WriteHttpResponse, { content: () => 'release 1' }),
      ]),
    );
  }
}

@Workflow({ id: 'heartbeat' })
export class Heartbeat implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        trigger(Timer, { interval: '00:00:01' }, { id: 'every-second' }),
        activity(Effect, { label: () => 'beat' }, { id: 'beat' }),
      ]),
    );
  }
}

/** Runs a child within its own burst. */
@Workflow({ id: 'invoice' })
export class Invoice implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        ...requested(w, 'invoices'),
        activity(ExecuteWorkflow, { workflowDefinitionId: 'receipt', waitForCompletion: true }, { id: 'receipt' }),
        activity(Effect, { label: () => 'invoiced' }, { id: 'invoiced' }),
      ]),
    );
  }
}

@Workflow({ id: 'receipt' })
export class Receipt implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const number = w.output<number>('number', { type: 'Int32' });
    w.root(
      sequence([
        inline(
          // A body that compilers write down in different ways.
          async (ctx) => {
            const [first = '', ...rest] = await Promise.resolve(ctx.workflow.id.split('-'));
            return first.length + rest.length;
          },
          { id: 'counted' },
        ),
        setOutput(number, (scope) => Number(scope.getOutputFrom('counted', 'Result') ?? 0), { id: 'numbered' }),
        activity(Effect, { label: () => 'receipt' }, { id: 'printed' }),
      ]),
    );
  }
}

export const release1 = [Order, Approval, Shipment, Delivery, Reminder, Negotiation, Heartbeat, Invoice, Receipt];
