import { listLengths } from '@waymark/core/adapter';
import type { LargeStates } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { Dialect } from '../dialect/dialect.js';
import { REVISION, STATE } from '../instances/instance-rows.js';
import type { BurstRows } from './burst-rows.js';

/** Of the limit: the first warning comes here, and others each time that the state has doubled. */
const FIRST_SHARE = 1 / 4;
/** A character takes that many bytes at most. */
const MOST_BYTES = 3;
/** Instances of which it is remembered that they were warned of. */
const MAX_REMEMBERED = 1000;

/**
 * Notes instances whose states grow towards the limit, and logs how large they are while there is time: beyond it they are faulted
 * (WM7017). Logged once for each, and each time that it has doubled.
 */
export class StateGrowth {
  private readonly logger = new WorkflowLogger('WorkflowPersistence');
  /** Bytes that were warned of last, by instance. */
  private readonly warnedAt = new Map<string, number>();

  constructor(
    private readonly maxStateBytes: number,
    private readonly states: LargeStates,
  ) {}

  /** To be asked when it is stored. What nearly all states have is not even counted. */
  note({ burst, instance: row, isFinished }: BurstRows, { maxValueBytes }: Dialect): void {
    const limit = Math.min(this.maxStateBytes, maxValueBytes);
    const text = row[STATE] as string;
    const { id, definitionId, state } = burst.instance;
    if (isFinished) {
      this.states.forget(id);
      return void this.warnedAt.delete(id);
    }
    if (text.length * MOST_BYTES < limit * FIRST_SHARE) return this.states.forget(id);
    const bytes = Buffer.byteLength(text);
    const known = this.warnedAt.get(id);
    if (bytes < limit * FIRST_SHARE) this.states.forget(id);
    else this.states.note({ workflowInstanceId: id, definitionId, bytes, maxBytes: limit }, row[REVISION] as number);
    if (bytes < (known === undefined ? limit * FIRST_SHARE : known * 2)) return;
    this.remember(id, bytes);
    const lengths = listLengths(state);
    this.logger.warn(
      `The state of instance "${id}" of workflow "${definitionId}" takes ${bytes} bytes, ${Math.floor((bytes / limit) * 100)} % ` +
        `of the ${limit} that can be stored: ${counted(lengths.activityExecutionContexts, 'running activity', 'running activities')}, ` +
        `${counted(lengths.bookmarks, 'bookmark', 'bookmarks')}, ` +
        `${counted(state.scheduledActivities.length, 'activity', 'activities')} to come. Beyond the limit it is ` +
        'faulted (WM7017). Give each part an instance of its own (BulkDispatchWorkflows), or keep large data elsewhere.',
    );
  }

  private remember(id: string, bytes: number): void {
    this.warnedAt.delete(id);
    this.warnedAt.set(id, bytes);
    if (this.warnedAt.size > MAX_REMEMBERED) this.warnedAt.delete(this.warnedAt.keys().next().value!);
  }
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
