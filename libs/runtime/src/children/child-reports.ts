import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StoreBookmarkQueue } from '../bookmarks/bookmark-queue.js';
import { BookmarkResumer, isGone } from '../bookmarks/bookmark-resumer.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BookmarkNotFoundError } from '../services/instance-errors.js';
import { endedWithout, type JoinChildMessage, reportToParent, type ResumeMessage } from '../bursts/messages.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { InstanceParking } from '../instances/instance-parking.js';
import { EVERY_NODE_DIED, orLater } from '../outbox/outbox-handler.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { isRefusedByNode } from '../outbox/refused-by-node.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';

/** A report to a parent that failed waits so long for its repair, unless the parent is deleted before. */
const KEPT_FOR_REPAIR_MS = 365 * 24 * 3_600_000;
/** Between two looks the bookmark may come, or come back. */
const MAX_LOOKS = 5;

/**
 * Tells parents how their children ended. A child that was dispatched begins after the commit with which its parent waits,
 * so its report finds the bookmark. A child of ExecuteWorkflow may end while the burst of its parent still runs: that
 * report finds nothing and is dropped, however long the burst takes, because the commit of the burst asks for it (W5).
 */
@Injectable()
export class ChildReports implements OnModuleInit {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: BookmarkResumer,
    private readonly queue: StoreBookmarkQueue,
    private readonly outbox: OutboxProcessor,
    private readonly parking: InstanceParking,
  ) {}

  onModuleInit(): void {
    this.outbox.register({
      kind: 'resume',
      handle: (message) => this.tell(message.payload as ResumeMessage, message),
      abandon: (message, error) => this.setAside(message.payload as ResumeMessage, message, error),
    });
    this.outbox.register({
      kind: 'join-child',
      handle: (message) => this.join(message.payload as JoinChildMessage, message),
      abandon: (message, error) => this.giveUp(message.payload as JoinChildMessage, message, error),
    });
  }

  /** Whether an instance was started by that parent. Its id alone says nothing: it can be computed, and ids can be chosen. */
  async isChild(childInstanceId: string, parentWorkflowInstanceId: string): Promise<boolean> {
    const filter = { ids: [childInstanceId], parentWorkflowInstanceIds: [parentWorkflowInstanceId] };
    return (await this.persistence.instances.count(filter)) > 0;
  }

  /**
   * The parent waits since this was sent: its child may have ended before, or tells it later.
   * @param message consumed, with the parent's resume or without
   */
  async join(payload: JoinChildMessage, message: OutboxMessage): Promise<void> {
    const { workflowInstanceId, childInstanceId } = payload;
    const { instances } = this.persistence;
    const own = { ids: [childInstanceId], parentWorkflowInstanceIds: [workflowInstanceId] };
    const isRunning = (await instances.count({ ...own, statuses: ['Running'] })) > 0;
    if (isRunning) return this.drop(message);
    const found = (await instances.load(childInstanceId))?.state;
    // Gone: deleted meanwhile, by which it was cancelled.
    const child =
      found?.parentWorkflowInstanceId === workflowInstanceId ? found : endedWithout(childInstanceId, 'Cancelled');
    return this.tell(reportToParent(workflowInstanceId, payload, child), message);
  }

  /**
   * A child that cannot be read has ended as it will never say. With its output missing, it cannot count as finished, and its parent would
   * wait without end. What failed otherwise, such as the burst of the parent, says nothing of the child.
   */
  private async giveUp(payload: JoinChildMessage, message: OutboxMessage, reason: string): Promise<void> {
    const { workflowInstanceId, childInstanceId } = payload;
    const { instances } = this.persistence;
    const own = { ids: [childInstanceId], parentWorkflowInstanceIds: [workflowInstanceId] };
    if ((await instances.count({ ...own, statuses: ['Running'] })) > 0) return this.drop(message);
    // Where a stranger has the id, nothing follows from what it is: the message is kept.
    if ((await instances.count(own)) === 0) return;
    if (await this.isReadable(childInstanceId)) return this.setAside(payload, message, reason);
    const report = reportToParent(workflowInstanceId, payload, endedWithout(childInstanceId, 'Faulted'));
    // With attempts of its own: the burst of the parent may end this process, and would again each time that this message is given up.
    await this.outbox.send([{ kind: 'resume', payload: report, workflowInstanceId }]);
    await this.drop(message);
    this.logger.error(
      `How instance "${childInstanceId}" ended cannot be read. Its parent "${workflowInstanceId}" continues as if it had faulted: ${reason}`,
    );
  }

  /**
   * Nodes have died of the burst in which the parent receives a report. It is parked where it waits: each further report, of a thousand
   * children, would end as many nodes again. A retry runs the activity anew, which asks for the children that it has.
   * @throws NotGivenUp
   */
  private async setAside(
    report: Pick<ResumeMessage, 'workflowInstanceId' | 'name' | 'hash'>,
    message: OutboxMessage,
    reason: string,
  ): Promise<void> {
    // What has failed in another way has said so: its message is kept, to be replayed.
    if (reason !== EVERY_NODE_DIED) return;
    const { workflowInstanceId, hash } = report;
    const [row] = await this.persistence.bookmarks.findMany({ workflowInstanceId, hash });
    if (!row) return;
    await orLater(this.parking.park(workflowInstanceId, message.attempts, reason, { bookmarkId: row.id }));
    await this.drop(message);
  }

  /** @throws faults of the store, and what another node may be able to read */
  private async isReadable(instanceId: string): Promise<boolean> {
    try {
      await this.persistence.instances.load(instanceId);
      return true;
    } catch (error) {
      if (isStoreOutage(error) || isRefusedByNode(error)) throw error;
      return false;
    }
  }

  private async tell(report: ResumeMessage, message: OutboxMessage): Promise<void> {
    const { workflowInstanceId, hash, input } = report;
    for (let look = 1; look <= MAX_LOOKS; look++) {
      for (const row of await this.persistence.bookmarks.findMany({ workflowInstanceId, hash })) {
        try {
          await this.resumer.resumeRow(row, { input }, { consumedMessageIds: [message.id] });
          return;
        } catch (error) {
          if (!isGone(error)) throw error;
        }
      }
      if (!(await this.isAwaited(report, message))) return this.drop(message);
    }
    // Tried again later, and counted.
    throw new BookmarkNotFoundError(hash, workflowInstanceId);
  }

  /**
   * A parent that has failed may be repaired: then its bookmark comes back, and finds the report in the queue.
   * @returns true when the parent is running and waits after all
   */
  private async isAwaited(
    { workflowInstanceId, name, hash, input }: ResumeMessage,
    { id }: OutboxMessage,
  ): Promise<boolean> {
    const parent = await this.persistence.instances.load(workflowInstanceId);
    if (!parent?.state.bookmarks.some((bookmark) => bookmark.hash === hash)) return false;
    if (parent.subStatus === 'Faulted') {
      const idempotencyKey = `report:${id}`;
      const item = { workflowInstanceId, activityTypeName: name, stimulusHash: hash, input, idempotencyKey };
      await this.queue.enqueue(item, KEPT_FOR_REPAIR_MS);
    }
    return parent.status === 'Running';
  }

  private async drop({ id }: OutboxMessage): Promise<void> {
    await this.persistence.outbox.delete(id);
  }
}
