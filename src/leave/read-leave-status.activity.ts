import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { leaveTask } from './leave-input.js';

export interface LeaveStatus {
  readonly requestId: string;
  readonly status:
    | 'unknown'
    | 'waiting for the manager'
    | 'waiting for the head'
    | 'approved'
    | 'rejected'
    | 'cancelled'
    | 'failed';
}

/** Looks up how far a leave request is: its instance carries the request id as correlation id. */
@Activity({ category: 'HR', displayName: 'Read Leave Status', description: 'Tells how far a leave request is.' })
export class ReadLeaveStatus extends ActivityBase {
  @Input({ description: 'Id of the leave request.' })
  requestId!: string;

  @Output({ description: 'The status, as an object to answer with.' })
  result?: LeaveStatus;

  constructor(private readonly persistence: WorkflowPersistence) {
    super();
  }

  async execute(_ctx: ActivityExecutionContext): Promise<void> {
    const { items } = await this.persistence.instances.findMany({
      correlationIds: [this.requestId],
      definitionIds: ['leave-approval'],
    });
    const instance = items[0] && (await this.persistence.instances.load(items[0].id));
    this.result = { requestId: this.requestId, status: instance ? statusOf(instance.state) : 'unknown' };
  }
}

function statusOf(state: {
  subStatus: string;
  output: Record<string, unknown>;
  activityExecutionContexts: readonly { activityState: Record<string, unknown> }[];
}): LeaveStatus['status'] {
  if (state.subStatus === 'Cancelled') return 'cancelled';
  if (state.subStatus === 'Faulted') return 'failed';
  if (state.output.Decision === 'approved' || state.output.Decision === 'rejected') return state.output.Decision;
  const waiting = state.activityExecutionContexts.find((c) => c.activityState.TaskName);
  return waiting?.activityState.TaskName === leaveTask('head') ? 'waiting for the head' : 'waiting for the manager';
}
