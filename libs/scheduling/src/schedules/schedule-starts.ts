import { Injectable } from '@nestjs/common';
import { type StartWorkflowRequest, WorkflowPersistence } from '@waymark/runtime';
import { type ScheduleClaim, ScheduledRequests, scheduleKey, type StoredSchedule } from '@waymark/runtime/adapter';
import { OverlapPolicy } from '../triggers/overlap-policy.js';
import { OverlapStarts, type Refusal, type StartedByHand } from '../triggers/overlap-starts.js';
import { overlapOf } from '../triggers/trigger-timing.js';

/**
 * Starts workflows for schedules of the application that have an overlap policy. Without one they are started by a message; with
 * one they are not, because until the message is served there is no instance that the policy could find.
 */
@Injectable()
export class ScheduleStarts {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly requests: ScheduledRequests,
    private readonly starts: OverlapStarts,
  ) {}

  /** Returns false if the schedule resumes instances, or its instances may overlap. */
  isFor({ payload }: StoredSchedule): boolean {
    return overlapOf(payload) !== OverlapPolicy.Allow;
  }

  /**
   * @returns why it was refused; undefined: an instance was started
   * @throws OccurrenceWaits when the policy waits for an instance that is still running
   */
  async start(schedule: StoredSchedule, scheduledAt: Date, firing: ScheduleClaim): Promise<Refusal | undefined> {
    const request = await this.requests.start(schedule, scheduledAt);
    return this.starts.start(startOf(schedule, { ...request!, firing }), () => this.isStillDue(schedule));
  }

  /** Fires by hand, without an occurrence. */
  async byHand(schedule: StoredSchedule, at: Date, requestKey: string | undefined): Promise<StartedByHand> {
    if (!this.isFor(schedule)) {
      const result = await this.requests.byHand(schedule, at, requestKey);
      return result ? { result } : { refusal: 'strategy' };
    }
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
