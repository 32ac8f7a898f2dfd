import { restingLists } from '@waymark/core/adapter';
import {
  type InstanceFilter,
  type InstanceOrder,
  type InstancePage,
  type InstancesPage,
  type InstanceStore,
  type InterruptedInstanceIds,
  type InterruptedOptions,
  type LoadOptions,
  START_KINDS,
} from '../instance-store.js';
import { type InstancePlace, placeOf, readPlace, writePlace } from '../instance-places.js';
import type { IdPage } from '../paging.js';
import type { LoadedInstance, WorkflowInstanceSummary } from '../records.js';
import { matchesInstance } from './filters.js';
import { loopTurns } from '../../event-loop/loop-turns.js';
import { hasLongLists, isolateRowInParts } from './instance-row-in-parts.js';
import { isolateRow } from './instance-row.js';
import { isolate, type Scale } from './isolate.js';
import { releaseActivationKeys } from './memory-commit.js';
import { hasMessage, type MemoryData } from './memory-data.js';
import { compareText, compareTime, type Comparer, idWindow, window } from './ordering.js';
import { loadRestingRow } from './resting-row.js';
import { timeOf } from './store-time.js';
import { deleteTasks } from './memory-user-task-store.js';

const COMPARERS: Record<InstanceOrder['by'], Comparer<LoadedInstance>> = {
  Created: (left, right) => compareTime(left.createdAt, right.createdAt),
  UpdatedAt: (left, right) => compareTime(left.updatedAt, right.updatedAt),
  Finished: (left, right) => compareTime(left.finishedAt, right.finishedAt),
  Name: (left, right) => compareText(left.name ?? '', right.name ?? ''),
};

export class MemoryInstanceStore implements InstanceStore {
  constructor(private readonly data: MemoryData) {}

  async load(id: string, { mayRest = false }: LoadOptions = {}): Promise<LoadedInstance | undefined> {
    const turn = loopTurns.begin();
    if (turn) await turn;
    const row = this.data.instances.get(id);
    if (!row) return undefined;
    const lists = restingLists(row.state);
    if (lists) return loadRestingRow(row, lists, mayRest, () => loopTurns.goOn());
    if (hasLongLists(row.state)) return isolateRowInParts(row, () => loopTurns.goOn());
    const scale: Scale = { weight: 0 };
    const loaded = isolateRow(row, scale);
    const later = loopTurns.goOn(scale.weight);
    if (later) await later;
    return loaded;
  }

  async readRevision(id: string): Promise<number | undefined> {
    return this.data.instances.get(id)?.revision;
  }

  async findKeyHolder(activationKey: string): Promise<string | undefined> {
    return this.data.activationKeys.get(activationKey)?.instanceId;
  }

  async findKeyUser(requestKey: string): Promise<string | undefined> {
    return this.data.requestKeys.get(requestKey)?.instanceId;
  }

  async findMany(
    filter: InstanceFilter,
    order: InstanceOrder = { by: 'Created', direction: 'Descending' },
    page?: InstancePage,
  ): Promise<InstancesPage> {
    const compare = COMPARERS[order.by];
    const sign = order.direction === 'Descending' ? -1 : 1;
    const { rows, ...searched } = this.searched(filter, order, page?.searchAmong);
    rows.sort((left, right) => sign * (compare(left, right) || compareText(left.id, right.id)));
    const after = page?.after === undefined ? undefined : readPlace(page.after, order);
    const left = after && rows.filter((row) => sign * comparePlaces(placeOf(row, order), after) > 0);
    const { items, ...total } = window(rows, page);
    const shown = left && page ? left.slice(page.skip, page.skip + page.take) : items;
    const last = page && shown.length === page.take ? shown.at(-1) : undefined;
    return {
      items: shown.map(summarize),
      ...total,
      ...(last && { next: writePlace(last, order) }),
      ...searched,
    };
  }

  async findIds(filter: InstanceFilter, page?: IdPage): Promise<string[]> {
    if (!page || filter.ids) return idWindow(this.matching(filter), page).map((row) => row.id);
    const ids: string[] = [];
    if (page.limit > 0)
      for (const row of this.data.instances.after(page.after)) {
        if (matchesInstance(filter, row)) ids.push(row.id);
        if (ids.length === page.limit) break;
      }
    return ids;
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

  async findInterrupted(options: InterruptedOptions): Promise<InterruptedInstanceIds> {
    const { quietMs, limit, now, unlessMessage, executedBy, after = '' } = options;
    const before = timeOf({ now }) - quietMs;
    const quiet: LoadedInstance[] = [];
    // Asked every few seconds of thousands, of which hardly one is.
    for (const instance of this.data.instances.values())
      if (
        instance.isExecuting &&
        instance.status === 'Running' &&
        (executedBy === undefined
          ? instance.updatedAt.getTime() < before
          : this.data.executedBy.get(instance.id) === executedBy) &&
        compareText(quietPosition(instance), after) > 0 &&
        !hasMessage(this.data, unlessMessage, instance.id)
      )
        quiet.push(instance);
    quiet.sort((left, right) => compareText(quietPosition(left), quietPosition(right)));
    const found = quiet.slice(0, limit);
    const last = found.length === limit ? found.at(-1) : undefined;
    return { ids: found.map(({ id }) => id), next: last && quietPosition(last) };
  }

  async delete(ids: readonly string[]): Promise<number> {
    let count = 0;
    for (const id of new Set(ids)) {
      if (this.data.instances.get(id)?.subStatus === 'Finished') this.leaveStarts(id);
      for (const rows of [this.data.queue, this.data.outbox])
        for (const row of [...rows.find('instance', id)]) rows.delete(row.id);
      if (!this.data.instances.delete(id)) continue;
      this.data.executedBy.delete(id);
      count++;
      for (const bookmark of [...this.data.bookmarks.find('instance', id)]) this.data.bookmarks.delete(bookmark.id);
      this.data.journal.delete(id);
      this.data.journalValues.delete(id);
      releaseActivationKeys(this.data, id);
      deleteTasks(this.data, id);
    }
    return count;
  }

  async purge(filter: InstanceFilter, limit: number): Promise<string[]> {
    const awaited = this.parentsOfRunning();
    const rows = this.matching(filter).filter(
      ({ id, status, subStatus }) => status === 'Finished' && !(subStatus === 'Faulted' && awaited.has(id)),
    );
    rows.sort((left, right) => compareTime(left.finishedAt, right.finishedAt));
    const ids = rows.slice(0, limit).map(({ id }) => id);
    for (const id of ids) this.leaveStarts(id);
    await this.delete(ids);
    return ids;
  }

  /** Of children that have not started yet. */
  private leaveStarts(parentId: string): void {
    for (const { workflowInstanceId: _parent, ...row } of [...this.data.outbox.find('instance', parentId)])
      if (START_KINDS.includes(row.kind)) this.data.outbox.put(row);
  }

  async purgeRequestKeys(before: Date, limit: number): Promise<number> {
    const { requestKeys } = this.data;
    const old = [...requestKeys].filter(([, { usedAt }]) => usedAt < before.getTime());
    const purged = old.sort(([, left], [, right]) => left.usedAt - right.usedAt).slice(0, limit);
    for (const [key] of purged) requestKeys.delete(key);
    return purged.length;
  }

  /** All at once: a look for each faulted instance would cost the square of them. */
  private parentsOfRunning(): ReadonlySet<string | undefined> {
    return new Set(this.matching({ statuses: ['Running'] }).map((row) => row.parentWorkflowInstanceId));
  }

  /** As a database reads them: the same answer from every store. */
  private searched(
    filter: InstanceFilter,
    order: InstanceOrder,
    among: number | undefined,
  ): Pick<InstancesPage, 'searchedSince' | 'searchedUntil'> & { rows: LoadedInstance[] } {
    const { searchTerm, nameContains, ...others } = filter;
    const rows = this.matching(filter);
    const isSearched = searchTerm !== undefined || nameContains !== undefined;
    if (among === undefined || (!isSearched && order.by === 'Created')) return { rows };
    const isOldest = !isSearched && order.by !== 'Name' && order.direction === 'Ascending';
    const times = this.matching(others).map(({ createdAt }) => createdAt);
    const end = times.sort((left, right) => compareTime(right, left)).at(isOldest ? -1 - among : among);
    if (!end) return { rows };
    if (isOldest) return { rows: rows.filter(({ createdAt }) => createdAt <= end), searchedUntil: end };
    const isNamed = ({ id, correlationId, name }: LoadedInstance): boolean =>
      searchTerm === undefined
        ? nameContains !== undefined && name === nameContains
        : id === searchTerm || correlationId === searchTerm;
    return { rows: rows.filter((row) => row.createdAt >= end || isNamed(row)), searchedSince: end };
  }

  private matching(filter: InstanceFilter): LoadedInstance[] {
    const { ids } = filter;
    const rows = ids
      ? [...new Set(ids)].flatMap((id) => this.data.instances.get(id) ?? [])
      : [...this.data.instances.values()];
    return rows.filter((row) => matchesInstance(filter, row));
  }
}

/** `null` comes before every value. */
function comparePlaces(left: InstancePlace, right: InstancePlace): number {
  const [one, other] = [left.value ?? '', right.value ?? ''];
  if (one === other) return compareText(left.id, right.id);
  if (left.value === null || right.value === null) return left.value === null ? -1 : 1;
  return one < other ? -1 : 1;
}

/** Sorts by the time, then by the id. */
function quietPosition({ updatedAt, id }: LoadedInstance): string {
  return `${updatedAt.getTime().toString().padStart(16, '0')} ${id}`;
}

function summarize(row: LoadedInstance): WorkflowInstanceSummary {
  const { state: _state, revision: _revision, ...summary } = row;
  return isolate(summary);
}
