import type { WithInput } from '../services/stimulus-services.js';
import { type AnyStimulusType, stimulusNameOf } from '../services/typed-stimuli.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Constructor, isWaymarkError } from '@waymark/core';
import { StoreBookmarkQueue } from '../bookmarks/bookmark-queue.js';
import { BookmarkResumer, isGone } from '../bookmarks/bookmark-resumer.js';
import { FanOuts } from '../bookmarks/fan-outs.js';
import type { StimulusMessage } from '../bursts/messages.js';
import { WorkflowDispatcher } from './workflow-dispatcher.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import type { OutboxMessage, StoredBookmark, StoredTrigger } from '../persistence/records.js';
import { requireStorableStimulus } from '../services/storable-requests.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { keyOfRow, startKeyOf } from '../stimuli/start-keys.js';
import { isAddressed, queueItemOf, startBy, waitingFor } from '../stimuli/stimulus-sender.js';
import { IStimulusDispatcher, type StimulusMetadata } from '../services/stimulus-services.js';

/**
 * Stimuli from the outbox. The transaction that does what one asks for consumes its message: delivered again after a crash, it would
 * resume those a second time that wait for the next one, such as a workflow that it has just started.
 *
 * - One instance that waits: the commit that resumes it.
 * - One trigger: the commit that stores the instance.
 * - Several: a message for each is stored in its place.
 * - None: it is queued in its place.
 */
@Injectable()
export class StimulusDispatcher extends IStimulusDispatcher implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly starts: WorkflowDispatcher,
    private readonly resumer: BookmarkResumer,
    private readonly fanOuts: FanOuts,
    private readonly queue: StoreBookmarkQueue,
    private readonly persistence: WorkflowPersistence,
  ) {
    super();
  }

  onModuleInit(): void {
    this.outbox.register({ kind: 'stimulus', handle: (message) => this.serve(message) });
  }

  async dispatch(
    named: Constructor | string | AnyStimulusType,
    stimulus: unknown,
    given: WithInput<Omit<StimulusMetadata, 'transient'>, unknown> = {},
  ): Promise<void> {
    const name = stimulusNameOf(named);
    const metadata = given as Omit<StimulusMetadata, 'transient'>;
    requireStorableStimulus(name, metadata);
    await this.outbox.send([{ kind: 'stimulus', payload: { name, stimulus, metadata } satisfies StimulusMessage }]);
  }

  private async serve(message: OutboxMessage): Promise<void> {
    const { name, stimulus, metadata } = message.payload as StimulusMessage;
    const hash = this.resumer.hashOf(name, stimulus);
    const filter = waitingFor(hash, metadata);
    // A node of the version before may have started an instance or queued it, and died.
    const keyed = { ...metadata, idempotencyKey: metadata.idempotencyKey ?? message.id };
    // Others may be faster with the one that waits, or its row may have been left behind.
    const gone = new Set<string>();
    for (;;) {
      const found = await this.persistence.bookmarks.findMany(filter, 2 + gone.size);
      const waiting = found.filter(({ id }) => !gone.has(id));
      const triggers = isAddressed(metadata) ? [] : await this.persistence.triggers.findMany({ hash });
      if (waiting.length + triggers.length > 1) {
        if ((await this.handOver(message, filter, triggers, keyed)) > 0) return;
        // Others have resumed all of them in between, and its message is still there.
        continue;
      }
      const [row] = waiting;
      const [trigger] = triggers;
      if (trigger) return this.startOne(message, filter, trigger, keyed);
      if (!row) return this.queue.enqueueInPlaceOf(message.id, queueItemOf(name, hash, keyed));
      if (await this.resumeOne(row, message)) return;
      gone.add(row.id);
    }
  }

  /** @returns how many instances it is for; for none, its message is left */
  private async handOver(
    message: OutboxMessage,
    filter: BookmarkFilter,
    triggers: readonly StoredTrigger[],
    keyed: StimulusMetadata,
  ): Promise<number> {
    const { input, properties } = keyed;
    const { id: consumedMessageId } = message;
    // Together: for a thousand workflows that one event starts, the store is asked for a thousand keys.
    const starts = await Promise.all(triggers.map((trigger) => this.startOf(message, trigger, keyed)));
    const messages = this.outbox.prepare(starts);
    const isForSome = messages.length === 0;
    const waiting = await this.fanOuts.handOver(
      filter,
      { input, properties },
      { messages, consumedMessageId, isForSome },
    );
    this.outbox.deliverSoon(messages);
    return waiting + messages.length;
  }

  private async startOne(
    message: OutboxMessage,
    filter: BookmarkFilter,
    trigger: StoredTrigger,
    keyed: StimulusMetadata,
  ): Promise<void> {
    try {
      const { payload } = await this.startOf(message, trigger, keyed);
      await this.starts.serve({ ...message, payload });
    } catch (error) {
      if (!isWaymarkError(error, 'WM2040')) throw error;
      // Only the start is left to a node that has the code. The stimulus itself must not resume instances that begin to wait meanwhile.
      await this.handOver(message, filter, [trigger], keyed);
    }
  }

  private async startOf({ id, payload }: OutboxMessage, trigger: StoredTrigger, keyed: StimulusMetadata) {
    const { idempotencyKey } = (payload as StimulusMessage).metadata;
    // Without a key of the sender, it is only this message that may be served again.
    const key = idempotencyKey
      ? await startKeyOf(this.persistence.instances, idempotencyKey, trigger)
      : keyOfRow(id, trigger);
    return startBy(trigger, keyed, key, id);
  }

  /** False when it does not wait any more. */
  private async resumeOne(row: StoredBookmark, { id, payload }: OutboxMessage): Promise<boolean> {
    const { input, properties } = (payload as StimulusMessage).metadata;
    try {
      await this.resumer.resumeRow(row, { input, properties }, { consumedMessageIds: [id] });
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }
}
