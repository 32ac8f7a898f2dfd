import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { codedText } from '../persistence/coded-text.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { isUnreadableHere } from '../outages/unreadable-here.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { type WorkflowBookmarksIndexed, WorkflowEvent } from '../events/workflow-events.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import { EmptyFilterError, isStoreOutage, type MessageConsumedError } from '../persistence/persistence-errors.js';
import {
  type BookmarkQueueItem,
  type OutboxMessage,
  type StoredBookmark,
  toStoredBookmark,
} from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { openMembers, sealMembers } from '../secrets/sealed-members.js';
import { BookmarkResumer, isGone } from './bookmark-resumer.js';
import {
  IBookmarkQueue,
  type NewBookmarkQueueItem,
  type ReplayedItem,
  type ReplayOutcome,
} from '../services/bookmark-services.js';
import { requireRecipients } from '../services/required-recipients.js';

/** Items that one new bookmark is offered at most, and bookmarks that an item is: of each, one is consumed. */
const CANDIDATES = 10;
/** Of so many new bookmarks each looks for items itself. */
const MANY_ADDED = 32;
const MOST_DELIVERED = 1000;
/** Hashes of new bookmarks for which the queue is asked at once. */
const MOST_HASHES = 500;
/** Before the id of an item, the id of the message that asks for its delivery on behalf of a node that died. */
export const QUEUED_DELIVERY = 'deliver-queued/';

/** Payload of kind `deliver-queued`. */
interface QueuedDelivery {
  readonly itemId: string;
}

/**
 * Keeps stimuli that came before their bookmark (W5). Adding a bookmark looks for a waiting item, adding an item looks for a waiting
 * bookmark; whichever comes second makes the match, and the commit of the resume consumes both at once.
 */
@Injectable()
export class StoreBookmarkQueue extends IBookmarkQueue implements OnModuleInit {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: BookmarkResumer,
    private readonly outbox: OutboxProcessor,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly events: WorkflowEventEmitter,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    super();
  }

  /** Called by Nest: registers its handler, and listens to what each burst may add. */
  onModuleInit(): void {
    this.events.listen<WorkflowBookmarksIndexed>(WorkflowEvent.BookmarksIndexed, (event) =>
      this.onBookmarksIndexed(event),
    );
    this.outbox.register({
      kind: 'deliver-queued',
      handle: (message) => this.serveQueued(message),
      abandon: (message, error) => this.giveUp(message, error),
    });
  }

  /** @param ttlMs how long it waits for its bookmark, in milliseconds; @default the option `stimulusTtlMs` */
  async enqueue(item: NewBookmarkQueueItem, ttlMs = this.options.stimulusTtlMs): Promise<string> {
    requireRecipients(item);
    const id = await this.store(item, ttlMs);
    await this.deliverStored(id);
    return id;
  }

  override async enqueueOnce(item: NewBookmarkQueueItem): Promise<string> {
    requireRecipients(item);
    const { queue } = this.persistence;
    const row = this.toRow(item, this.options.stimulusTtlMs);
    let id = await queue.enqueue(row);
    if (id !== row.id) {
      // Who brought it delivers it, or the sweeper. A dead letter keeps its id.
      if ((await queue.find(id)) ?? (await queue.findDeadLetter(id))?.canReplay) return id;
      id = await queue.enqueue(row, undefined, { renewsKey: true });
      if (id !== row.id) return id;
    }
    await this.deliverStored(id);
    return id;
  }

  /**
   * Enqueues an item in place of a message, which is consumed with it: if it were served again, the item would be delivered again.
   * @throws MessageConsumedError
   */
  async enqueueInPlaceOf(messageId: string, item: NewBookmarkQueueItem): Promise<void> {
    await this.deliverStored(await this.store(item, this.options.stimulusTtlMs, messageId));
  }

  async replay(deadLetterId: string): Promise<ReplayOutcome> {
    return (await this.replayItem(deadLetterId)).outcome;
  }

  override async replayItem(deadLetterId: string): Promise<ReplayedItem> {
    const letter = await this.persistence.queue.findDeadLetter(deadLetterId);
    if (!letter) return { outcome: 'NotFound' };
    if (letter.unreadable) throw letter.unreadable;
    const { idempotencyKey: _, ...item } = this.opened(letter);
    const fresh = this.toRow(item, this.options.stimulusTtlMs);
    if (!letter.canReplay || !(await this.persistence.queue.replay(deadLetterId, fresh)))
      return { outcome: 'NotReplayable' };
    try {
      await this.deliverStored(fresh.id);
    } catch (error) {
      // It is in the queue, where the sweeper finds it. A caller that got the error would try again, and find that it was replayed.
      this.logger.warn(`Stimulus ${fresh.id} was replayed, and waits: ${toErrorLike(error).message}`);
    }
    return { outcome: 'Replayed', queueItemId: fresh.id };
  }

  /** What is stored is delivered: by the sweeper, should the store fail just now. */
  private async deliverStored(itemId: string): Promise<void> {
    try {
      await this.deliver(itemId);
    } catch (error) {
      if (!this.outages.report(error)) throw error;
    }
  }

  /** A bookmark was committed: something may have been waiting for it. */
  onBookmarksIndexed(event: WorkflowBookmarksIndexed): void | Promise<void> {
    if (event.added.length > 0) return this.offerAdded(event);
  }

  private async offerAdded(event: WorkflowBookmarksIndexed): Promise<void> {
    try {
      if (event.added.length > MANY_ADDED) await this.offerMany(event);
      else for (const bookmark of event.added) await this.offer(bookmark);
    } catch (error) {
      // The sweeper finds both.
      if (!this.outages.report(error)) throw error;
    }
  }

  /**
   * Asks the queue once what can be delivered to them, instead of for each of thousands, and only among items that may be for
   * them: there can be many thousands for others. What is beyond, the sweeper finds.
   */
  private async offerMany({ workflowInstanceId, added }: WorkflowBookmarksIndexed): Promise<void> {
    const hashes = [...new Set(added.map(({ hash }) => hash))];
    const options = {
      now: new Date(this.clock.now()),
      limit: MOST_DELIVERED,
      unlessMessage: QUEUED_DELIVERY,
      addedTo: { workflowInstanceId, hashes: hashes.length > MOST_HASHES ? undefined : hashes },
    };
    const { ids } = await this.persistence.queue.findDeliverable(options);
    if (ids.length > 0) await this.deliverByMessage(ids);
  }

  private async offer(bookmark: StoredBookmark): Promise<void> {
    const { id: bookmarkId, hash, name, workflowInstanceId, activityInstanceId, correlationId } = bookmark;
    const match = { bookmarkId, hash, name, workflowInstanceId, activityInstanceId, correlationId };
    const items = await this.persistence.queue.findMatching(match, CANDIDATES, new Date(this.clock.now()));
    // A damaged one fails in the end, and does not keep back those behind it.
    const item = items.find(({ unreadable }) => !unreadable) ?? items[0];
    // Through the outbox: the burst that added the bookmark still holds its instance.
    if (item) await this.outbox.send([{ kind: 'deliver-queued', payload: { itemId: item.id } }]);
  }

  private async serveQueued(message: OutboxMessage): Promise<void> {
    const isUsedUp = await this.deliver((message.payload as QueuedDelivery).itemId, message.id);
    if (!isUsedUp) await this.persistence.outbox.delete(message.id);
  }

  /** The item is what is kept, as a dead letter, and can be replayed: from its message nothing more would come. */
  private async giveUp({ id, payload }: OutboxMessage, error: string): Promise<void> {
    await this.persistence.queue.fail((payload as QueuedDelivery).itemId, error, 1, new Date(this.clock.now()));
    await this.persistence.outbox.delete(id);
  }

  /** Asks for items to be delivered, by any node and each of them once at a time, however many nodes ask. */
  async deliverByMessage(itemIds: readonly string[]): Promise<void> {
    if (itemIds.length === 0) return;
    const availableAt = new Date(this.clock.now());
    const messages = this.outbox.prepare(
      itemIds.map((itemId) => ({ kind: 'deliver-queued', payload: { itemId }, availableAt })),
    );
    await this.outbox.add(messages.map((message, index) => ({ ...message, id: QUEUED_DELIVERY + itemIds[index]! })));
  }

  /**
   * Resumes what waits for an item; without a match it stays.
   * @param messageId asks for it, and is used up by the commit of the resume
   * @returns whether there was such a commit
   * @throws StoreUnavailableError, CommitOutcomeUnknownError: then it is there for the next delivery, uncounted
   */
  async deliver(itemId: string, messageId?: string): Promise<boolean> {
    const item = await this.persistence.queue.find(itemId);
    if (!item) return false;
    const consumed = {
      consumedQueueItemIds: [itemId],
      consumedMessageIds: messageId === undefined ? undefined : [messageId],
    };
    for (const row of await this.persistence.bookmarks.findMany(filterOf(item), CANDIDATES)) {
      try {
        if (item.unreadable) throw item.unreadable;
        const { input, properties } = this.opened(item);
        const { state } = await this.resumer.resumeRow(row, { input, properties }, consumed);
        // One that stays takes the next one as well, such as the reports of many children.
        const stays = state.status === 'Running' && state.bookmarks.find(({ id }) => id === row.id);
        if (stays) await this.offer(toStoredBookmark(stays, state.id, state.correlationId));
        return true;
      } catch (error) {
        if (isGone(error)) continue;
        // Another delivery was faster, such as another node's sweeper: it has been served.
        if (isConsumed(error, itemId)) return false;
        // The same of its message, which says nothing about the item.
        if (isStoreOutage(error) || isWaymarkError(error, 'WM7004')) throw error;
        // Nor does an instance that only other nodes can read.
        if (isUnreadableHere(error)) throw error;
        // Another node has the code: the message is set aside for it, or becomes one.
        if (isWaymarkError(error, 'WM2040')) {
          if (messageId === undefined) await this.deliverByMessage([itemId]);
          else throw error;
          return false;
        }
        // A runtime that is paused says nothing about the item, which is found again later.
        if (isWaymarkError(error, 'WM3005')) return false;
        const now = new Date(this.clock.now());
        await this.persistence.queue.fail(itemId, codedText(error), this.options.maxDeliveryAttempts, now);
        throw error;
      }
    }
    return false;
  }

  private store(item: NewBookmarkQueueItem, ttlMs: number, consumedMessageId?: string): Promise<string> {
    const { idempotencyKey: _, input: __, properties: ___, ...conditions } = item;
    if (!Object.values(conditions).some((value) => value !== undefined)) throw new EmptyFilterError('bookmark queue');
    return this.persistence.queue.enqueue(this.toRow(item, ttlMs), consumedMessageId);
  }

  /** With what was stored, in clear. @throws EncryptionKeyNotFoundError, DecryptionFailedError */
  private opened<T extends BookmarkQueueItem>(item: T): T {
    const { id, input, properties } = item;
    const { encryption } = this.options;
    return {
      ...item,
      input: input && openMembers(encryption, input, inputPlace(id)),
      properties: properties && openMembers(encryption, properties, propertiesPlace(id)),
    };
  }

  private toRow(item: NewBookmarkQueueItem, ttlMs: number): BookmarkQueueItem {
    const now = this.clock.now();
    const id = this.engine.newId();
    return {
      ...item,
      input: item.input && sealMembers(this.options.encryption, item.input, inputPlace(id)),
      properties: item.properties && sealMembers(this.options.encryption, item.properties, propertiesPlace(id)),
      id,
      createdAt: new Date(now),
      expiresAt: new Date(now + ttlMs),
      attempts: 0,
    };
  }
}

const inputPlace = (id: string): string => `input of stimulus ${id}`;
const propertiesPlace = (id: string): string => `properties of stimulus ${id}`;

function isConsumed(error: unknown, itemId: string): boolean {
  return isWaymarkError(error, 'WM7004') && (error as MessageConsumedError).messageId === itemId;
}

function filterOf(item: BookmarkQueueItem): BookmarkFilter {
  return {
    ids: item.bookmarkId === undefined ? undefined : [item.bookmarkId],
    hash: item.stimulusHash,
    names: item.activityTypeName === undefined ? undefined : [item.activityTypeName],
    workflowInstanceId: item.workflowInstanceId,
    activityInstanceId: item.activityInstanceId,
    correlationId: item.correlationId,
  };
}
