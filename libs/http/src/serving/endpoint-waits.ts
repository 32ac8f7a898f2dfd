import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type WorkflowBookmarksIndexed, WorkflowClock, WorkflowEvent, WorkflowPersistence } from '@waymark/runtime';
import { WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { HTTP_ENDPOINT } from '../endpoint/endpoint-payload.js';

/** As long as other nodes take to learn of a path with parameters. */
const KNOWN_FOR_MS = 1000;

/**
 * Whether an instance of any node waits for a request at all. While none does, a trigger is served without asking the store
 * who waits at the literal path. Nodes of earlier builds tell nothing of those, so the store is asked: once a second at most,
 * and only while there are requests that depend on it.
 */
@Injectable()
export class EndpointWaits implements OnModuleInit {
  private isWaiting = true;
  /** Until when that is taken for true. */
  private knownUntil = -Infinity;
  private changes = 0;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly events: WorkflowEventEmitter,
  ) {}

  /** Called by Nest: listens to what each burst may change. */
  onModuleInit(): void {
    this.events.listen<WorkflowBookmarksIndexed>(WorkflowEvent.BookmarksIndexed, (event) =>
      this.onBookmarksIndexed(event),
    );
  }

  /** True if none waits, as the store said less than a second ago. */
  get areNone(): boolean {
    return this.isKnown && !this.isWaiting;
  }

  private get isKnown(): boolean {
    return this.clock.monotonic() < this.knownUntil;
  }

  async ask(): Promise<boolean> {
    if (this.isKnown) return this.isWaiting;
    const { changes } = this;
    const until = this.clock.monotonic() + KNOWN_FOR_MS;
    const isWaiting = await this.persistence.bookmarks.hasName(HTTP_ENDPOINT);
    // One that came to wait here meanwhile may be missing in the answer.
    if (changes !== this.changes) return true;
    this.isWaiting = isWaiting;
    this.knownUntil = until;
    return isWaiting;
  }

  /** Called with what was indexed when bookmarks of an instance of this node have changed. */
  onBookmarksIndexed({ added }: Pick<WorkflowBookmarksIndexed, 'added'>): void {
    if (!added.some(({ name }) => name === HTTP_ENDPOINT)) return;
    this.changes++;
    this.isWaiting = true;
    this.knownUntil = this.clock.monotonic() + KNOWN_FOR_MS;
  }
}
