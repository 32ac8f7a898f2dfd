import type { InstanceFilter, InstanceOrder, InstanceStore, InterruptedOptions } from '../instance-store.js';
import type { IdPage, Page, PagedResult } from '../paging.js';
import type { LoadedInstance, WorkflowInstanceSummary } from '../records.js';
import { matchesInstance } from './filters.js';
import { isolate } from './isolate.js';
import { releaseActivationKeys } from './memory-commit.js';
import { hasMessage, type MemoryData } from './memory-data.js';
import { compareText, compareTime, type Comparer, idWindow, window } from './ordering.js';
import { timeOf } from './store-time.js';

const COMPARERS: Record<InstanceOrder['by'], Comparer<LoadedInstance>> = {
  Created: (left, right) => compareTime(left.createdAt, right.createdAt),
  UpdatedAt: (left, right) => compareTime(left.updatedAt, right.updatedAt),
  Finished: (left, right) => compareTime(left.finishedAt, right.finishedAt),
  Name: (left, right) => compareText(left.name ?? '', right.name ?? ''),
};

export class MemoryInstanceStore implements InstanceStore {
  constructor(private readonly data: MemoryData) {}

  async load(id: string): Promise<LoadedInstance | undefined> {
    const row = this.data.instances.get(id);
    return row && isolate(row);
  }

  async readRevision(id: string): Promise<number | undefined> {
    return this.data.instances.get(id)?.revision;
  }

  async findMany(
    filter: InstanceFilter,
    order: InstanceOrder = { by: 'Created', direction: 'Descending' },
    page?: Page,
  ): Promise<PagedResult<WorkflowInstanceSummary>> {
    const compare = COMPARERS[order.by];
    const sign = order.direction === 'Descending' ? -1 : 1;
    const rows = this.matching(filter);
    rows.sort((left, right) => sign * (compare(left, right) || compareText(left.id, right.id)));
    const { items, totalCount } = window(rows, page);
    return { items: items.map(summarize), totalCount };
  }

  async findIds(filter: InstanceFilter, page?: IdPage): Promise<string[]> {
    return idWindow(this.matching(filter), page).map((row) => row.id);
  }

  async count(filter: InstanceFilter): Promise<number> {
    return this.matching(filter).length;
  }

  async touch(ids: readonly string[], now?: Date): Promise<void> {
    const updatedAt = new Date(timeOf({ now }));
    for (const id of ids) {
      const row = this.data.instances.get(id);
      if (row?.isExecuting) this.data.instances.put({ ...row, updatedAt });
    }
  }

  async findInterrupted({ quietMs, limit, now, unlessMessage }: InterruptedOptions): Promise<string[]> {
    const before = timeOf({ now }) - quietMs;
    const quiet = this.matching({ isExecuting: true, statuses: ['Running'] }).filter(
      ({ id, updatedAt }) => updatedAt.getTime() < before && !hasMessage(this.data, unlessMessage, id),
    );
    quiet.sort((left, right) => compareTime(left.updatedAt, right.updatedAt) || compareText(left.id, right.id));
    return quiet.slice(0, limit).map(({ id }) => id);
  }

  async delete(ids: readonly string[]): Promise<number> {
    let count = 0;
    for (const id of new Set(ids)) {
      for (const rows of [this.data.queue, this.data.outbox])
        for (const row of [...rows.find('instance', id)]) rows.delete(row.id);
      if (!this.data.instances.delete(id)) continue;
      count++;
      for (const bookmark of [...this.data.bookmarks.find('instance', id)]) this.data.bookmarks.delete(bookmark.id);
      this.data.journal.delete(id);
      this.data.journalValues.delete(id);
      releaseActivationKeys(this.data, id);
    }
    return count;
  }

  async purge(filter: InstanceFilter, limit: number): Promise<string[]> {
    const rows = this.matching(filter).filter(({ status }) => status === 'Finished');
    rows.sort((left, right) => compareTime(left.finishedAt, right.finishedAt));
    const ids = rows.slice(0, limit).map(({ id }) => id);
    await this.delete(ids);
    return ids;
  }

  async purgeRequestKeys(before: Date, limit: number): Promise<number> {
    const { requestKeys } = this.data;
    const old = [...requestKeys].filter(([, { usedAt }]) => usedAt < before.getTime());
    const purged = old.sort(([, left], [, right]) => left.usedAt - right.usedAt).slice(0, limit);
    for (const [key] of purged) requestKeys.delete(key);
    return purged.length;
  }

  private matching(filter: InstanceFilter): LoadedInstance[] {
    const { ids } = filter;
    const rows = ids
      ? [...new Set(ids)].flatMap((id) => this.data.instances.get(id) ?? [])
      : [...this.data.instances.values()];
    return rows.filter((row) => matchesInstance(filter, row));
  }
}

function summarize(row: LoadedInstance): WorkflowInstanceSummary {
  const { state: _state, revision: _revision, ...summary } = row;
  return isolate(summary);
}
