import type { WorkflowClock } from '@waymark/runtime';
import type { JournalStore } from '@waymark/runtime/adapter';

/** A transaction that has taken a number and is not committed by then has failed. */
const LATEST_COMMIT_MS = 3_000;
/** Following begins so many numbers below the last one: some of them may not be committed yet. */
const BEFORE = 100;
/** Most writes between two looks; with more, following starts again. */
const MOST_WRITES = 20_000;

/**
 * Finds the instances that were committed since the last look, on any node. Every commit writes a chunk of the journal, so this
 * costs commits nothing. Chunks get their numbers before they are committed, hence not in the order of the commits: each look
 * reads the last seconds again, and finds late ones.
 */
export class JournalWindow {
  private marks: readonly { readonly at: number; readonly number: number }[] = [];
  private seen = new Map<number, string>();

  constructor(
    private readonly journal: JournalStore,
    private readonly clock: WorkflowClock,
  ) {}

  /** No lower number will be committed any more: a reader that resumes from there misses nothing, and may see some writes twice. */
  get floor(): number {
    return this.marks[0]?.number ?? 0;
  }

  async begin(): Promise<void> {
    const at = this.clock.monotonic();
    const number = Math.max(0, (await this.journal.lastWrite()) - BEFORE);
    const writes = await this.journal.findWrites(number, MOST_WRITES);
    this.seen = new Map(writes.map((write) => [write.number, write.workflowInstanceId]));
    this.marks = [{ at, number }];
  }

  /** @returns undefined when there were too many writes, or the store was replaced; following has started again */
  async read(): Promise<ReadonlySet<string> | undefined> {
    const { floor } = this;
    const at = this.clock.monotonic();
    const writes = await this.journal.findWrites(floor, MOST_WRITES);
    const isLost = writes.length === 0 && (await this.journal.lastWrite()) < floor;
    if (isLost || writes.length === MOST_WRITES) {
      await this.begin();
      return undefined;
    }
    const changed = new Set<string>();
    for (const { number, workflowInstanceId } of writes) {
      if (this.seen.get(number) === workflowInstanceId) continue;
      this.seen.set(number, workflowInstanceId);
      changed.add(workflowInstanceId);
    }
    this.advance(at, writes.at(-1)?.number ?? floor);
    return changed;
  }

  private advance(at: number, last: number): void {
    const before = this.floor;
    const marks = [...this.marks, { at, number: last }];
    const first = marks.findLastIndex((mark) => mark.at <= at - LATEST_COMMIT_MS);
    this.marks = first > 0 ? marks.slice(first) : marks;
    if (this.floor === before) return;
    for (const number of this.seen.keys()) if (number <= this.floor) this.seen.delete(number);
  }
}
