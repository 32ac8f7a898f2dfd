import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { BookmarkPatternsChanged, WorkflowEvent } from '../events/workflow-events.js';
import type { BookmarkPattern, StoredBookmark } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Tells which bookmarks of one kind wait for more than one stimulus. Register as a provider. */
export abstract class BookmarkPatternReader {
  /** Bookmark names it is responsible for. */
  abstract readonly names: readonly string[];
  /** True when requests cannot compute the bookmark's hash without knowing this payload. */
  abstract isPattern(payload: unknown): boolean;
}

/** A pattern in use is announced again after that time, and kept for twice as long. */
const ANNOUNCED_FOR_MS = 12 * 3_600_000;

/**
 * Makes the patterns at which instances wait known to all nodes (W6).
 *
 * 1. A pattern is written in the commit that creates its bookmark, so that neither is there without the other.
 * 2. Only by a node that does not know it: ordinary commits write nothing here, and no row is one that all of them want.
 * 3. What this node takes for known is in the store: it forgets sooner than the store removes.
 */
@Injectable()
export class BookmarkPatterns {
  private readers: readonly BookmarkPatternReader[] | undefined;
  /** When a pattern was announced last, by hash. */
  private readonly announcedAt = new Map<string, number>();
  private token: string | undefined;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly discovery: DiscoveryService,
    private readonly events: WorkflowEventEmitter,
    private readonly clock: WorkflowClock,
  ) {}

  /** The patterns among new bookmarks that their commit has to announce. */
  unannounced(added: readonly StoredBookmark[]): BookmarkPattern[] {
    if (!added.length) return [];
    const now = this.clock.now();
    const found = new Map<string, BookmarkPattern>();
    for (const { hash, name, payload } of added) {
      const isKnown = now - (this.announcedAt.get(hash) ?? -Infinity) < ANNOUNCED_FOR_MS;
      if (!isKnown && this.isPattern(name, payload))
        found.set(hash, { hash, name, payload, announcedAt: new Date(now) });
    }
    return [...found.values()];
  }

  /** They have been committed. */
  announced(patterns: readonly BookmarkPattern[]): void {
    for (const { hash, announcedAt } of patterns) this.announcedAt.set(hash, announcedAt.getTime());
  }

  /** Notes where the store stands, before routes are read from it. */
  async prepare(): Promise<void> {
    this.token = await this.persistence.patterns.changeToken();
  }

  /** Reads and announces the patterns of other nodes, if there are others than before. */
  async follow(): Promise<void> {
    const token = await this.persistence.patterns.changeToken();
    if (token === this.token) return;
    const patterns = await this.persistence.patterns.findAll();
    this.token = token;
    this.forgetOld();
    this.announced(patterns);
    await this.events.emit(WorkflowEvent.BookmarkPatternsChanged, new BookmarkPatternsChanged(patterns));
  }

  /** Removes those that are not used any more. Returns how many, `limit` at most. */
  purge(limit: number): Promise<number> {
    return this.persistence.patterns.purge(new Date(this.clock.now() - 2 * ANNOUNCED_FOR_MS), limit);
  }

  private forgetOld(): void {
    const end = this.clock.now() - ANNOUNCED_FOR_MS;
    for (const [hash, at] of this.announcedAt) if (at < end) this.announcedAt.delete(hash);
  }

  private isPattern(name: string, payload: unknown): boolean {
    this.readers ??= this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof BookmarkPatternReader ? [instance] : []));
    return this.readers.some((reader) => reader.names.includes(name) && reader.isPattern(payload));
  }
}
