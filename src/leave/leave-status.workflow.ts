import { Inject } from '@nestjs/common';
import { activity, flowchart, trigger, type WorkflowDefinitionBuilder } from '@waymark/core';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import { Workflow, type WorkflowBuilder } from '@waymark/runtime';
import { HOST_SETTINGS, type HostSettings } from '../settings/host-settings.js';
import { type LeaveStatus, ReadLeaveStatus } from './read-leave-status.activity.js';

/** Answers how far a leave request is. */
@Workflow({ id: 'leave-status', name: 'Leave status' })
export class LeaveStatusWorkflow implements WorkflowBuilder {
  constructor(@Inject(HOST_SETTINGS) private readonly settings: HostSettings) {}

  build(w: WorkflowDefinitionBuilder): void {
    const route = w.variable<Record<string, string>>('Route');
    const status = w.variable<LeaveStatus>('Status');

    const asked = trigger(
      HttpEndpoint,
      { path: 'leave-requests/{id}', authorize: this.settings.users.length > 0 },
      { id: 'Asked', outputs: { routeData: route } },
    );
    const read = activity(
      ReadLeaveStatus,
      { requestId: (scope) => route.get(scope).id ?? '' },
      { id: 'Read', outputs: { result: status } },
    );
    const answer = activity(
      WriteHttpResponse,
      {
        statusCode: (scope) => (status.get(scope).status === 'unknown' ? 'NotFound' : 'OK'),
        content: (scope) => status.get(scope),
      },
      { id: 'Answer' },
    );
    w.description('Tells how far a leave request is.').root(
      flowchart((flow) => flow.start(asked).next(read).next(answer)),
    );
  }
}
