import type { BurstCommit } from '../burst-commit.js';
import { WorkflowPersistence } from '../workflow-persistence.js';
import { MemoryBookmarkStore } from './memory-bookmark-store.js';
import { commitToMemory } from './memory-commit.js';
import { MemoryData } from './memory-data.js';
import { MemoryDefinitionStore } from './memory-definition-store.js';
import { MemoryInstanceStore } from './memory-instance-store.js';
import { MemoryJournalStore } from './memory-journal-store.js';
import { MemoryOutboxStore } from './memory-outbox-store.js';
import { MemoryBookmarkQueueStore } from './memory-queue-store.js';
import { MemoryTriggerStore } from './memory-trigger-store.js';

/**
 * The reference version: what the port says, in the shortest form. For tests and for trying things out; nothing outlives
 * the process.
 */
export class MemoryPersistence extends WorkflowPersistence {
  private readonly data = new MemoryData();
  readonly definitions = new MemoryDefinitionStore(this.data);
  readonly instances = new MemoryInstanceStore(this.data);
  readonly bookmarks = new MemoryBookmarkStore(this.data);
  readonly triggers = new MemoryTriggerStore(this.data);
  readonly journal = new MemoryJournalStore(this.data);
  readonly outbox = new MemoryOutboxStore(this.data);
  readonly queue = new MemoryBookmarkQueueStore(this.data);

  async commit(burst: BurstCommit): Promise<void> {
    commitToMemory(this.data, burst);
  }

  async now(): Promise<undefined> {
    return undefined;
  }

  async initialize(): Promise<void> {}

  async close(): Promise<void> {}
}
