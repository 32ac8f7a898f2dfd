import { Injectable } from '@nestjs/common';
import { type StoredBookmark, type StoredTrigger, WorkflowPersistence } from '@waymark/runtime';
import { LATEST_TIME } from '../activities/delay-until.js';
import type { CronTriggerPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import { DueWorkRunner } from '../due-work/due-work-runner.js';

/** One thing that will happen at a time. */
export interface WorkflowSchedule {
  /** Id of the trigger or bookmark. */
  readonly id: string;
  /** `start`: a new instance of `workflowDefinitionId`; `resume`: the instance `workflowInstanceId`. */
  readonly action: 'start' | 'resume';
  /** For people, e.g. `every 00:05:00` or `cron 0 30 8 * * MON-FRI (Europe/Vilnius)`. */
  readonly name: string;
  /** Stimulus name, e.g. `Elsa.Timer`. */
  readonly stimulus: string;
  /** null: it will not happen (any more). */
  readonly nextRunAt: Date | null;
  readonly workflowDefinitionId?: string;
  readonly activityId?: string;
  readonly workflowInstanceId?: string;
  /** Set while this node fails to fire it. */
  readonly failure?: { readonly attempts: number; readonly lastError: string; readonly retryAt: Date };
}

/** Shows what is scheduled: read from the stored rows, so that every node gives the same answer. */
@Injectable()
export class WorkflowSchedules {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly runner: DueWorkRunner,
  ) {}

  /** Timer, Cron and StartAt triggers of published workflows, by next run; those that will not run any more come last. */
  async triggers(workflowDefinitionIds?: readonly string[]): Promise<WorkflowSchedule[]> {
    const names = [SchedulingStimulus.Timer, SchedulingStimulus.Cron, SchedulingStimulus.StartAt];
    const rows = await this.persistence.triggers.findMany({ names, workflowDefinitionIds });
    const time = (schedule: WorkflowSchedule): number => schedule.nextRunAt?.getTime() ?? Infinity;
    return rows.map((row) => this.ofTrigger(row)).sort((a, b) => time(a) - time(b) || (a.id < b.id ? -1 : 1));
  }

  /**
   * The waiting instances that are resumed next.
   * @param limit there may be millions
   */
  async bookmarks(limit = 100, before: Date = new Date(LATEST_TIME)): Promise<WorkflowSchedule[]> {
    return (await this.persistence.bookmarks.findDue(before, limit)).map((row) => this.ofBookmark(row));
  }

  private ofTrigger(row: StoredTrigger): WorkflowSchedule {
    const { id, name: stimulus, workflowDefinitionId, activityId, dueAt } = row;
    return {
      id,
      action: 'start',
      name: nameOf(row),
      stimulus,
      nextRunAt: dueAt ?? null,
      workflowDefinitionId,
      activityId,
      ...this.failureOf('trigger', id, dueAt),
    };
  }

  private ofBookmark({ id, name: stimulus, workflowInstanceId, dueAt }: StoredBookmark): WorkflowSchedule {
    return {
      id,
      action: 'resume',
      name: `once, by ${stimulus}`,
      stimulus,
      nextRunAt: dueAt ?? null,
      workflowInstanceId,
      ...this.failureOf('bookmark', id, dueAt),
    };
  }

  private failureOf(
    kind: 'trigger' | 'bookmark',
    id: string,
    dueAt: Date | null | undefined,
  ): Pick<WorkflowSchedule, 'failure'> {
    const found = dueAt ? this.runner.failureOf(kind, { id, dueAt }) : undefined;
    if (!found) return {};
    const { attempts, lastError, notBefore } = found;
    return { failure: { attempts, lastError, retryAt: new Date(notBefore) } };
  }
}

function nameOf({ name, payload }: StoredTrigger): string {
  switch (name) {
    case SchedulingStimulus.Timer:
      return `every ${(payload as TimerTriggerPayload).interval}`;
    case SchedulingStimulus.Cron: {
      const { cronExpression, timeZone = 'UTC' } = payload as CronTriggerPayload;
      return `cron ${cronExpression} (${timeZone})`;
    }
    default:
      return 'once';
  }
}
