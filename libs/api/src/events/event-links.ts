import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Event, IStimulusSender, type StimulusMetadata } from '@waymark/runtime';
import { KEPT_ONCE_AS } from '@waymark/runtime/adapter';

/**
 * Sends the events of links. Of a link that is followed again and again while nothing waits, one event is kept; after it was taken,
 * another one. An idempotency key of the stimulus would not do: it also keeps workflows from starting.
 */
@Injectable()
export class EventLinks {
  constructor(private readonly stimuli: IStimulusSender) {}

  /** @param workflowInstanceId the one it is meant for, which starts nothing. @default every one */
  async follow(
    eventName: string,
    workflowInstanceId: string | undefined,
    transient: StimulusMetadata['transient'],
  ): Promise<void> {
    const named = JSON.stringify([workflowInstanceId ?? null, eventName]);
    const link = `event-link:${createHash('sha256').update(named).digest('hex')}`;
    const recipient = workflowInstanceId === undefined ? {} : { workflowInstanceId };
    const metadata = { ...recipient, transient, [KEPT_ONCE_AS]: link };
    await this.stimuli.send(Event, { eventName }, metadata);
  }
}
