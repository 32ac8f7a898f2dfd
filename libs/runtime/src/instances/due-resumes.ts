import { Injectable } from '@nestjs/common';
import type { ResumeBookmarkMessage } from '../bursts/messages.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { InstanceParking } from './instance-parking.js';
import { orLater } from '../outbox/outbox-handler.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { OutboxMessage, StoredBookmark } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { DUE, RESUME_BOOKMARK } from '../bookmarks/fan-outs.js';

/**
 * Resumes of due bookmarks that another node had claimed, and did not come to an end with: it may have died of them. A claim of a bookmark
 * counts nothing, so the next node would die as well, and so on. Those of messages are counted (W8), so they are resumed by messages: a
 * node serves one such message at a time, and after `maxDeliveryAttempts` the instance is parked.
 */
@Injectable()
export class DueResumes {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly parking: InstanceParking,
    private readonly clock: WorkflowClock,
  ) {}

  /** Asks for them to be resumed, by any node and each of them once, however often they are found due until then. */
  async ask(bookmarks: readonly Pick<StoredBookmark, 'id' | 'workflowInstanceId'>[]): Promise<void> {
    const availableAt = new Date(this.clock.now());
    const asked = bookmarks.map(({ id: bookmarkId, workflowInstanceId }) => ({
      ...{ kind: RESUME_BOOKMARK, payload: { bookmarkId } satisfies ResumeBookmarkMessage },
      ...{ workflowInstanceId, availableAt },
    }));
    const ids = bookmarks.map(({ id }) => DUE + id);
    // Nodes of the version before make dead letters of them, and one would keep its bookmark from ever being resumed.
    await this.persistence.outbox.deleteDeadLetters(ids);
    const rows = this.outbox.prepare(asked);
    await this.outbox.add(rows.map((row, n) => ({ ...row, ...this.outbox.sealed(ids[n]!, asked[n]!), id: ids[n]! })));
  }

  /**
   * The attempts of such a message are used up. Others that resume bookmarks bring something, such as the input of an event: it is kept as
   * a dead letter, and the instance still waits.
   * @throws NotGivenUp
   */
  async giveUp({ id, payload, workflowInstanceId, attempts }: OutboxMessage, reason: string): Promise<void> {
    if (!id.startsWith(DUE) || workflowInstanceId === undefined) return;
    const { bookmarkId } = payload as ResumeBookmarkMessage;
    await orLater(this.parking.park(workflowInstanceId, attempts, reason, { bookmarkId }));
    await this.persistence.outbox.delete(id);
  }
}
