import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
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
/** Each look reads that much of what the one before has read: a commit takes its time, and clocks differ. */
const LATE_MS = 10_000;
/** Patterns are counted, to find what came later still or is gone, with one look of so many. */
const LOOKS_BETWEEN_COUNTS = 60;
/** All that were not announced for a day are looked at, whether they are used or not. */
const BETWEEN_PURGES_MS = 3_600_000;

/**
 * Makes the patterns at which instances wait known to all nodes (W6).
 *
 * 1. A pattern is written in the commit that creates its bookmark, so that neither is there without the other.
 * 2. Only by a node that does not know it: ordinary commits write nothing here, and no row is one that all of them want.
 * 3. What this node takes for announced is in the store: it announces again sooner than the store removes.
 * 4. A look reads what was announced since the last one, however many there are. All are read again when their number says that
 *    something was missed, or when some were removed, by a purge or since a backup was restored.
 */
@Injectable()
export class BookmarkPatterns {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  private readers: readonly BookmarkPatternReader[] | undefined;
  /** When a pattern was announced last, by hash. All that this node knows. */
  private announcedAt = new Map<string, number>();
  /** Of those, the hashes of what could not be read when it was read last. */
  private readonly unreadable = new Set<string>();
  /** Of the store, when all were read. */
  private purges = 0;
  /** When the last look began. */
  private lookedAt = -Infinity;
  private looks = 0;
  private purgedAt = -Infinity;

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
    for (const { hash, announcedAt, unreadable } of patterns) {
      this.announcedAt.set(hash, announcedAt.getTime());
      if (unreadable) this.unreadable.add(hash);
      else this.unreadable.delete(hash);
    }
  }

  /** Notes where the store stands, before routes are read from it. */
  async prepare(): Promise<void> {
    this.lookedAt = this.clock.now();
    await this.readAll();
  }

  /** Reads and announces the patterns of other nodes, if there are others than before. */
  async follow(): Promise<void> {
    const now = this.clock.now();
    const isCounted = ++this.looks % LOOKS_BETWEEN_COUNTS === 0;
    const known = this.announcedAt.size;
    // Counted first: what comes meanwhile is known by the time at which the numbers are compared.
    const counted = isCounted ? await this.persistence.patterns.state() : undefined;
    const since = new Date(Math.min(now, this.lookedAt) - LATE_MS);
    const found = await this.persistence.patterns.findAnnounced(since);
    const isNew = ({ hash, unreadable }: BookmarkPattern): boolean =>
      !this.announcedAt.has(hash) || (!unreadable && this.unreadable.has(hash));
    const added = found.filter(isNew);
    this.announced(found);
    // Fewer than were known before, without a purge: a backup was restored.
    const isOutdated = (count: number): boolean => count > this.announcedAt.size || count < known;
    try {
      if (counted && (counted.purges !== this.purges || isOutdated(counted.count))) await this.followAll();
      else if (added.length > 0) await this.emit(added, false);
    } catch (error) {
      // Taken for known, they would not be announced by the looks that follow.
      for (const { hash } of added) this.announcedAt.delete(hash);
      throw error;
    }
    this.lookedAt = now;
  }

  /** Reads and announces all. */
  async followAll(): Promise<void> {
    await this.emit(await this.readAll(), true);
  }

  /** Removes those that are not used any more, once an hour. Returns how many, `limit` at most. */
  async purge(limit: number): Promise<number> {
    const now = this.clock.now();
    if (now - this.purgedAt < BETWEEN_PURGES_MS) return 0;
    const count = await this.persistence.patterns.purge(new Date(now - 2 * ANNOUNCED_FOR_MS), limit);
    if (count < limit) this.purgedAt = now;
    return count;
  }

  private async readAll(): Promise<readonly BookmarkPattern[]> {
    const before = this.announcedAt;
    this.announcedAt = new Map();
    try {
      const { purges } = await this.persistence.patterns.state();
      const patterns = await this.persistence.patterns.findAll();
      this.unreadable.clear();
      this.announced(patterns);
      this.purges = purges;
      return patterns;
    } catch (error) {
      this.announcedAt = before;
      throw error;
    }
  }

  /** One that cannot be read is known, so that the numbers agree, and serves no request: the others are not kept from theirs. */
  private emit(all: readonly BookmarkPattern[], areAll: boolean): void | Promise<void> {
    const patterns = all.filter(({ unreadable }) => !unreadable);
    for (const { name, hash, unreadable } of all)
      if (unreadable)
        this.logger.error(
          `Requests at a path template at which '${name}' waits (hash ${hash}) are not served by this node: ${unreadable.message}`,
        );
    return this.events.emit(WorkflowEvent.BookmarkPatternsChanged, new BookmarkPatternsChanged(patterns, areAll));
  }

  private isPattern(name: string, payload: unknown): boolean {
    this.readers ??= this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof BookmarkPatternReader ? [instance] : []));
    return this.readers.some((reader) => reader.names.includes(name) && reader.isPattern(payload));
  }
}
