import { HttpCode, Param } from '@nestjs/common';
import { IBookmarkQueue, WorkflowPersistence } from '@waymark/runtime';
import { type BookmarkQueueDeadLetter } from '@waymark/runtime/adapter';
import { ConflictError, ResourceNotFoundError } from '../answers/api-errors.js';
import { HidesSecrets } from '../answers/hides-secrets.js';
import { COUNTED_ROWS, DEFAULT_PAGE, pageAnswer, windowOf } from '../answers/lists.js';
import { withUnreadable } from '../answers/unreadable-row.js';
import { Audited } from '../audit/audited.js';
import { ApiController, ApiDelete, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody } from '../requests/bind.js';
import { withoutNulls } from '../requests/json-values.js';
import * as read from '../requests/readers.js';

const listRequest = read.members({
  workflowInstanceId: read.name,
  page: read.integerFrom(0),
  pageSize: read.integerFrom(1),
});
type ListRequest = read.ReadBy<typeof listRequest>;

interface ReplayAnswer {
  readonly replayed: true;
  readonly queueItemId?: string;
}

const READ = 'read:bookmark-queue:dead-letters';

/** Stimuli that matched no bookmark in time, or whose delivery failed finally. */
@ApiController('bookmark-queue/dead-letters')
@HidesSecrets()
export class DeadLettersController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly queue: IBookmarkQueue,
  ) {}

  @ApiGet('', READ)
  get(@FromOptionalBody(listRequest) request: ListRequest) {
    return this.list(request);
  }

  @ApiPost('', READ)
  post(@FromOptionalBody(listRequest) request: ListRequest) {
    return this.list(request);
  }

  @ApiGet(':id', READ)
  async one(@Param('id') id: string) {
    const found = await this.persistence.queue.findDeadLetter(id);
    if (!found) throw new ResourceNotFoundError('dead letter', id);
    return shown(found);
  }

  @Audited('bookmark-queue.dead-letters.delete', { target: 'bookmark-queue-dead-letter', param: 'id' })
  @ApiDelete(':id', 'delete:bookmark-queue:dead-letters')
  @HttpCode(204)
  async delete(@Param('id') id: string): Promise<void> {
    if ((await this.persistence.queue.deleteDeadLetters([id])) === 0)
      throw new ResourceNotFoundError('dead letter', id);
  }

  @Audited('bookmark-queue.dead-letters.replay', { target: 'bookmark-queue-dead-letter', param: 'id' })
  @ApiPost(':id/replay', 'replay:bookmark-queue:dead-letters')
  async replay(@Param('id') id: string): Promise<ReplayAnswer> {
    const { outcome, queueItemId } = await this.queue.replayItem(id);
    switch (outcome) {
      case 'Replayed':
        return { replayed: true, ...(queueItemId !== undefined && { queueItemId }) };
      case 'NotFound':
        throw new ResourceNotFoundError('dead letter', id);
      case 'NotReplayable':
        throw new ConflictError(`Dead letter "${id}" was already replayed, or cannot be replayed.`, {
          replayed: false,
          reason: outcome,
        });
    }
  }

  private async list({ workflowInstanceId, ...request }: ListRequest) {
    const { items, totalCount, isTotalLowerBound } = await this.persistence.queue.findDeadLetters(
      { workflowInstanceId },
      { ...windowOf(request, DEFAULT_PAGE), countUpTo: COUNTED_ROWS },
    );
    return pageAnswer(items.map(shown), totalCount, isTotalLowerBound);
  }
}

/** With what Elsa calls otherwise under both names: its clients, and ours of before. */
function shown(letter: BookmarkQueueDeadLetter): object {
  const { createdAt: originalCreatedAt, attempts: deliveryAttempts, lastError: lastErrorMessage } = letter;
  const named = { ...withUnreadable(letter), originalCreatedAt, deliveryAttempts, lastErrorMessage };
  return { ...withoutNulls(named), tenantId: '' };
}
