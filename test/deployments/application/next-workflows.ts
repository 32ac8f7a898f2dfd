import { activity, sequence, Workflow, type WorkflowBuilder, type WorkflowDefinitionBuilder } from '@waymark/nestjs';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import { Event } from '@waymark/runtime';
import { Delay } from '@waymark/scheduling';
import { Audit, Effect } from './activities.js';
import { Delivery, Heartbeat, Invoice, Order, Receipt, requested } from './workflows.js';

@Workflow({ id: 'approval' })
export class Approval implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        ...requested(w, 'approvals'),
        activity(Effect, { label: () => 'asked' }),
        activity(Event, { eventName: 'go-on' }),
        activity(Effect, { label: () => 'approval of release 2' }),
      ]),
    );
  }
}

@Workflow({ id: 'shipment', version: 2 })
export class Shipment implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        activity(Effect, { label: () => 'packed' }, { id: 'packed' }),
        activity(Delay, { timeSpan: '00:00:00.3' }, { id: 'travel' }),
        activity(Effect, { label: () => 'shipment of release 2' }, { id: 'sent' }),
      ]),
    );
  }
}

@Workflow({ id: 'reminder' })
export class Reminder implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        ...requested(w, 'reminders'),
        activity(Delay, { timeSpan: '00:00:00.4' }),
        activity(Audit, { label: () => 'reminder of release 2' }, { id: 'audited' }),
      ]),
    );
  }
}

@Workflow({ id: 'negotiation' })
export class Negotiation implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const body = w.variable<{ id: string }>('body');
    w.root(
      sequence([
        ...requested(w, 'negotiations', body),
        activity(HttpEndpoint, { path: (scope) => `offers/${body.get(scope).id}`, supportedMethods: ['POST'] }),
        activity(Effect, { label: () => 'offered' }),
        activity(Effect, { label: () => 'negotiation of release 2' }),
        activity(WriteHttpResponse, { content: () => 'release 2' }),
      ]),
    );
  }
}

export const release2 = [Order, Approval, Shipment, Delivery, Reminder, Negotiation, Heartbeat, Invoice, Receipt];
