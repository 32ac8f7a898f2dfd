import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Event, IStimulusSender, type StimulusMetadata, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { BookmarkResumer, EVENT_STIMULUS } from '@waymark/runtime/adapter';

/** Kept events that are looked through for the one of a link. */
const CANDIDATES = 100;
/** Requests that come at the same time share a key, so that one of them is kept. */
const TOGETHER_MS = 1000;

/**
 * Sends the events of links to one instance, which start nothing. Of a link that is followed again and again while nothing waits, one event is
 * kept; after it was taken, another one. A key for the link alone would not do: it is known for as long as an event may be kept, taken or not.
 */
@Injectable()
export class EventLinks {
  constructor(
    private readonly stimuli: IStimulusSender,
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: BookmarkResumer,
    private readonly clock: WorkflowClock,
  ) {}

  async follow(eventName: string, workflowInstanceId: string, transient: StimulusMetadata['transient']): Promise<void> {
    const named = JSON.stringify([workflowInstanceId, eventName]);
    const link = `event-link:${createHash('sha256').update(named).digest('hex')}`;
    const kept = await this.keptKey(link, eventName, workflowInstanceId);
    const idempotencyKey = kept ?? `${link}:${Math.floor(this.clock.now() / TOGETHER_MS)}`;
    await this.stimuli.send(Event, { eventName }, { workflowInstanceId, transient, idempotencyKey });
  }

  private async keptKey(link: string, eventName: string, workflowInstanceId: string): Promise<string | undefined> {
    const waiting = { bookmarkId: '', activityInstanceId: '', workflowInstanceId, name: EVENT_STIMULUS };
    const hash = this.resumer.hashOf(EVENT_STIMULUS, { eventName });
    const items = await this.persistence.queue.findMatching({ ...waiting, hash }, CANDIDATES);
    return items.find(({ idempotencyKey }) => idempotencyKey?.startsWith(link))?.idempotencyKey;
  }
}
