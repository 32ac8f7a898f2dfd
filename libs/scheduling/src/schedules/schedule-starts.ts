import { Injectable } from '@nestjs/common';
import {
  type RunInstanceResult,
  type ScheduleClaim,
  ScheduledRequests,
  scheduleKey,
  type StartWorkflowRequest,
  type StoredSchedule,
  WorkflowPersistence,
} from '@waymark/runtime';
import { OverlapPolicy } from '../triggers/overlap-policy.js';
import { OverlapStarts } from '../triggers/overlap-starts.js';
import { overlapOf } from '../triggers/trigger-timing.js';

/**
 * Starts workflows for schedules of the application with an overlap policy: by themselves, not by a message. Between the two commits
 * of a message there is no instance yet that a policy could find.
 */
@Injectable()
export class ScheduleStarts {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly requests: ScheduledRequests,
    private readonly starts: OverlapStarts,
  ) {}

  /** What resumes, and what may overlap, goes by message. */
  isFor({ payload }: StoredSchedule): boolean {
    return overlapOf(payload) !== OverlapPolicy.Allow;
  }

  /**
   * @returns true: it started; false: it was refused
   * @throws OccurrenceWaits what the policy waits for has not ended
   */
  async start(schedule: StoredSchedule, scheduledAt: Date, firing: ScheduleClaim): Promise<boolean> {
    const request = await this.requests.start(schedule, scheduledAt);
    return this.starts.start(startOf(schedule, { ...request!, firing }), () => this.isStillDue(schedule));
  }

  /** Without an occurrence. @returns undefined: it was refused */
  async byHand(
    schedule: StoredSchedule,
    at: Date,
    requestKey: string | undefined,
  ): Promise<RunInstanceResult | undefined> {
    if (!this.isFor(schedule)) return this.requests.byHand(schedule, at, requestKey);
    const { workflowInstanceId, ...request } = (await this.requests.start(schedule, at))!;
    const id = requestKey === undefined ? { workflowInstanceId } : { requestKey };
    return this.starts.byHand(startOf(schedule, { ...request, ...id }));
  }

  private async isStillDue({ id, token, dueAt }: StoredSchedule): Promise<boolean> {
    const [row] = await this.persistence.schedules.findMany([id]);
    return row?.token === token && row.dueAt?.getTime() === dueAt?.getTime();
  }
}

const startOf = ({ id, payload }: StoredSchedule, request: StartWorkflowRequest) => ({
  policy: overlapOf(payload),
  key: scheduleKey(id),
  request,
});
