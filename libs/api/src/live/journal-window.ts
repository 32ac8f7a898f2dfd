import type { WorkflowClock } from '@waymark/runtime';
import type { JournalStore } from '@waymark/runtime/adapter';

/** A transaction that took a number and is not committed after that time has failed. */
const LATEST_COMMIT_MS = 3_000;
/** What is taken for known where following begins: numbers below may be committed yet. */
const BEFORE = 100;
/** More writes between two looks cannot be followed. */
const MOST_WRITES = 20_000;

/**
 * Which instances were committed since the last look, on any node, by the journal that each commit writes into: so commits
 * do nothing for it. Numbers of chunks are given before they are committed; each look reads the last seconds again, for those
 * that came late.
 */
export class JournalWindow {
  private marks: readonly { readonly at: number; readonly number: number }[] = [];
  private seen = new Map<number, string>();

  constructor(
    private readonly journal: JournalStore,
    private readonly clock: WorkflowClock,
  ) {}

  /** Nothing below comes any more: a reader that goes on from there misses nothing, and may find again what was found before. */
  get floor(): number {
    return this.marks[0]?.number ?? 0;
  }

  async begin(): Promise<void> {
    const at = this.clock.now();
    const number = Math.max(0, (await this.journal.lastWrite()) - BEFORE);
    const writes = await this.journal.findWrites(number, MOST_WRITES);
    this.seen = new Map(writes.map((write) => [write.number, write.workflowInstanceId]));
    this.marks = [{ at, number }];
  }

  /** @returns undefined: too much, or the store is another one; following has begun anew */
  async read(): Promise<ReadonlySet<string> | undefined> {
    const { floor } = this;
    const at = this.clock.now();
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
