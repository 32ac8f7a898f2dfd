import {
  activity,
  correlate,
  flowchart,
  inline,
  setOutput,
  trigger,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import { Workflow, type WorkflowBuilder } from '@waymark/runtime';
import { LeaveDecision } from './leave-decision.activity.js';

/** What an employee sends. */
interface LeaveRequest {
  readonly employee: string;
  readonly days: number;
}

/** A request is made over HTTP; the manager and then the department head decide, days later and in any process. */
@Workflow({ id: 'leave-approval', name: 'Leave approval' })
export class LeaveApproval implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const request = w.variable<LeaveRequest>('Request');
    const requestId = w.variable<string>('RequestId', { type: 'String' });
    const manager = w.variable<string>('Manager', { type: 'String' });
    const head = w.variable<string>('Head', { type: 'String' });
    const decision = w.output<string>('Decision', { type: 'String' });

    const received = trigger(
      HttpEndpoint,
      { path: 'leave-requests', supportedMethods: ['POST'] },
      { id: 'Received', outputs: { parsedContent: request } },
    );
    const giveId = inline((ctx) => requestId.set(ctx, ctx.workflow.id));
    const accepted = activity(
      WriteHttpResponse,
      { statusCode: 'Accepted', content: (scope) => ({ requestId: requestId.get(scope) }) },
      { id: 'Accepted' },
    );
    const askManager = activity(
      LeaveDecision,
      { requestId, step: 'manager' },
      { id: 'Manager', outputs: { decidedBy: manager } },
    );
    const askHead = activity(LeaveDecision, { requestId, step: 'head' }, { id: 'Head', outputs: { decidedBy: head } });
    const approved = setOutput(decision, 'approved');
    const rejected = setOutput(decision, 'rejected');

    w.description('Manager and department head decide on a leave request.').root(
      flowchart((flow) => {
        flow
          .start(received)
          .next(giveId)
          .next(correlate(requestId))
          .next(accepted)
          .next(askManager)
          .on('Approved', askHead)
          .on('Rejected', rejected);
        flow.from(askHead).on('Approved', approved).on('Rejected', rejected);
      }),
    );
  }
}
