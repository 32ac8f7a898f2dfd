import { Inject } from '@nestjs/common';
import {
  activity,
  correlate,
  type ExpressionScope,
  flowchart,
  flowDecision,
  inline,
  setOutput,
  trigger,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import { UserTask, Workflow, type WorkflowBuilder } from '@waymark/runtime';
import { HOST_SETTINGS, type HostSettings } from '../settings/host-settings.js';
import { LeaveInputError, type LeaveRequest, leaveTask, readLeaveRequest } from './leave-input.js';

/** The answer to a malformed request. */
interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** A request is made over HTTP; the manager and then the department head decide, days later and in any process. */
@Workflow({ id: 'leave-approval', name: 'Leave approval' })
export class LeaveApproval implements WorkflowBuilder {
  constructor(@Inject(HOST_SETTINGS) private readonly settings: HostSettings) {}

  build(w: WorkflowDefinitionBuilder): void {
    const request = w.variable<unknown>('Request');
    const refusal = w.variable<Refusal | null>('Refusal');
    const requestId = w.variable<string>('RequestId', { type: 'String' });
    const manager = w.variable<string>('Manager', { type: 'String' });
    const head = w.variable<string>('Head', { type: 'String' });
    const decision = w.output<string>('Decision', { type: 'String' });

    const received = trigger(
      HttpEndpoint,
      { path: 'leave-requests', supportedMethods: ['POST'], authorize: this.settings.users.length > 0 },
      { id: 'Received', outputs: { parsedContent: request } },
    );
    const check = inline((ctx) => {
      try {
        request.set(ctx, readLeaveRequest(request.get(ctx)));
      } catch (error) {
        if (!(error instanceof LeaveInputError)) throw error;
        refusal.set(ctx, { code: error.code, message: error.message });
      }
    });
    const isRefused = flowDecision((scope) => refusal.get(scope) !== null && refusal.get(scope) !== undefined);
    const refused = activity(
      WriteHttpResponse,
      { statusCode: 'BadRequest', content: (scope) => refusal.get(scope) },
      { id: 'Refused' },
    );
    const giveId = inline((ctx) => requestId.set(ctx, ctx.workflow.id));
    const accepted = activity(
      WriteHttpResponse,
      { statusCode: 'Accepted', content: (scope) => ({ requestId: requestId.get(scope) }) },
      { id: 'Accepted' },
    );
    // Its members find it on their list; a reminder goes out once a day, and what is late goes to the heads.
    const question = {
      possibleOutcomes: ['Approve', 'Reject'],
      data: (scope: ExpressionScope) => ({ ...(request.get(scope) as LeaveRequest), requestId: requestId.get(scope) }),
      dueIn: '3.00:00:00',
      remindEvery: '1.00:00:00',
      escalateToGroups: ['heads'],
    };
    const askManager = activity(
      UserTask,
      {
        ...question,
        taskName: leaveTask('manager'),
        title: 'Decide on a leave request',
        candidateGroups: ['managers'],
      },
      { id: 'Manager', outputs: { completedBy: manager } },
    );
    const askHead = activity(
      UserTask,
      { ...question, taskName: leaveTask('head'), title: 'Confirm a leave request', candidateGroups: ['heads'] },
      { id: 'Head', outputs: { completedBy: head } },
    );
    const approved = setOutput(decision, 'approved');
    const rejected = setOutput(decision, 'rejected');

    w.description('Manager and department head decide on a leave request.').root(
      flowchart((flow) => {
        flow
          .start(received)
          .next(check)
          .next(isRefused)
          .on('True', refused)
          .on('False', giveId, correlate(requestId), accepted, askManager);
        flow.from(askManager).on('Approve', askHead).on('Reject', rejected);
        flow.from(askHead).on('Approve', approved).on('Reject', rejected);
      }),
    );
  }
}
