import type { WithInput } from '../services/stimulus-services.js';
import { type AnyStimulusType, stimulusNameOf } from '../services/typed-stimuli.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Constructor } from '@waymark/core';
import { BookmarkResumer, isGone } from '../bookmarks/bookmark-resumer.js';
import { FanOuts } from '../bookmarks/fan-outs.js';
import type { StimulusMessage } from '../bursts/messages.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { OutboxMessage, StoredBookmark } from '../persistence/records.js';
import { requireStorableStimulus } from '../services/storable-requests.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { isAddressed, startBy, waitingFor } from './stimulus-sender.js';
import { IStimulusDispatcher, IStimulusSender, type StimulusMetadata } from '../services/stimulus-services.js';

/**
 * Stimuli from the outbox. One that concerns several instances becomes a message for each, in the transaction that consumes
 * its own: what is delivered again after a crash would otherwise resume those a second time that wait for the next one.
 */
@Injectable()
export class StimulusDispatcher extends IStimulusDispatcher implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly sender: IStimulusSender,
    private readonly resumer: BookmarkResumer,
    private readonly fanOuts: FanOuts,
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
    // A repeated delivery must not start a second instance or queue the stimulus twice.
    const keyed = { ...metadata, idempotencyKey: metadata.idempotencyKey ?? message.id };
    const filter = waitingFor(this.resumer.hashOf(name, stimulus), metadata);
    const [first, ...others] = await this.persistence.bookmarks.findMany(filter, 2);
    if (first) {
      const triggers = isAddressed(metadata) ? [] : await this.persistence.triggers.findMany({ hash: filter.hash! });
      if (others.length > 0 || triggers.length > 0) {
        const { input, properties } = metadata;
        const messages = this.outbox.prepare(triggers.map((trigger) => startBy(trigger, keyed, message.id)));
        const consumedMessageId = message.id;
        await this.fanOuts.handOver(filter, { input, properties }, { messages, consumedMessageId });
        return this.outbox.deliverSoon(messages);
      }
      if (await this.resumeOne(first, message)) return;
    }
    await this.sender.send(name, stimulus, keyed);
    await this.persistence.outbox.delete(message.id);
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
