import { Injectable } from '@nestjs/common';
import { isWaymarkError, NewerFormatError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { IBookmarkQueue } from '../services/bookmark-services.js';
import { OutboxDeadLetters } from '../outbox/outbox-dead-letters.js';
import { type DeletedPortion, InstanceDeletion } from '../instances/instance-deletion.js';
import { IWorkflowCancellationService } from '../services/instance-services.js';
import type { BulkFailure } from '../persistence/bulk-plan-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BULK_CONCURRENCY } from '../persistence/bulk-batch-size.js';
import { BulkAction } from '../persistence/bulk-action.js';
import { type Failed, severalAtATime } from '../persistence/several-at-a-time.js';

/** Progress of a batch, from which it continues when the store has failed in between. */
export class BulkProgress {
  changed = 0;
  readonly failures: BulkFailure[] = [];
  private readonly visited = new Set<string>();

  constructor(readonly ids: readonly string[]) {}

  get left(): string[] {
    return this.ids.filter((id) => !this.visited.has(id));
  }

  get visitedIds(): string[] {
    return this.ids.filter((id) => this.visited.has(id));
  }

  note(id: string, isChanged: boolean): void {
    this.visited.add(id);
    if (isChanged) this.changed++;
  }

  noteAll(ids: readonly string[], changed: number): void {
    for (const id of ids) this.visited.add(id);
    this.changed += changed;
  }

  noteFailures(failed: readonly Failed<string>[]): void {
    for (const { item: id, error } of failed) {
      this.visited.add(id);
      const code = isWaymarkError(error) ? error.code : undefined;
      this.failures.push({ id, code, message: toErrorLike(error).message });
    }
  }
}

/** Does one action to a batch: several instances at a time, or all of them in one transaction where that can be. */
@Injectable()
export class BulkWork {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly cancellation: IWorkflowCancellationService,
    private readonly deletion: InstanceDeletion,
    private readonly messages: OutboxDeadLetters,
    private readonly queue: IBookmarkQueue,
  ) {}

  /**
   * What fails is reported among the failures, and does not affect the others.
   * @param signal aborted: nothing more is begun
   * @throws faults of the store, and NewerFormatError (`WM2053`) for an action that this version does not know
   */
  async perform(action: BulkAction, progress: BulkProgress, signal?: AbortSignal): Promise<void> {
    const ids = progress.left;
    switch (action) {
      case BulkAction.CancelInstances:
        return this.each(progress, async (id) => (await this.cancellation.cancel([id])) > 0, signal);
      case BulkAction.DeleteInstances: {
        const note = (some: readonly string[], { deleted, failed }: DeletedPortion): void => {
          progress.noteFailures(failed);
          progress.noteAll(some, deleted);
        };
        return this.deletion.deleteBatch(ids, note, signal);
      }
      case BulkAction.ReplayMessages:
        return progress.noteAll(ids, await this.messages.replayAll(ids));
      case BulkAction.DeleteMessages:
        return progress.noteAll(ids, await this.persistence.outbox.deleteDeadLetters(ids));
      case BulkAction.ReplayStimuli:
        return this.each(progress, async (id) => (await this.queue.replay(id)) === 'Replayed', signal);
      case BulkAction.DeleteStimuli:
        return progress.noteAll(ids, await this.persistence.queue.deleteDeadLetters(ids));
      default:
        action satisfies never;
        throw new NewerFormatError(`A batch of a bulk plan with the action "${String(action)}"`);
    }
  }

  private async each(
    progress: BulkProgress,
    change: (id: string) => Promise<boolean>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const task = async (id: string) => progress.note(id, await change(id));
    progress.noteFailures(await severalAtATime(progress.left, BULK_CONCURRENCY, task, signal));
  }
}
