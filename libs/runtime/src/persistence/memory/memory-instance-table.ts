import type { LoadedInstance } from '../records.js';
import { compareText } from './ordering.js';
import { MemoryTable } from './memory-table.js';

/**
 * Instances, also in the order of their ids: each part of a plan for many instances would sort all of them. New instances come last in
 * that order; where one does not, such as an imported one, the order is made anew when it is next asked for.
 */
export class MemoryInstanceTable extends MemoryTable<LoadedInstance> {
  /** Sorted; some may be gone. */
  private ordered: string[] | undefined;
  private gone = 0;

  constructor() {
    super({});
  }

  override put(row: LoadedInstance): void {
    const last = this.ordered?.at(-1);
    if (this.ordered && !this.has(row.id) && row.id !== last) {
      if (last === undefined || compareText(last, row.id) < 0) this.ordered.push(row.id);
      else this.ordered = undefined;
    }
    super.put(row);
  }

  override delete(id: string): boolean {
    if (!super.delete(id)) return false;
    // Not kept in memory longer than it is worth.
    if (this.ordered && ++this.gone > this.ordered.length / 2) this.ordered = undefined;
    return true;
  }

  /** In order of id. @param id those behind it. @default all */
  *after(id = ''): Generator<LoadedInstance, void> {
    const ordered = (this.ordered ??= this.order());
    for (let at = firstBehind(ordered, id); at < ordered.length; at++) {
      const row = this.get(ordered[at]!);
      if (row) yield row;
    }
  }

  private order(): string[] {
    this.gone = 0;
    return Array.from(this.values(), (row) => row.id).sort(compareText);
  }
}

function firstBehind(ordered: readonly string[], id: string): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText(ordered[middle]!, id) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
