import type { OccurrenceClaim, TriggerFiring } from '../burst-commit.js';
import type {
  ScheduledTriggerFilter,
  TriggerFilter,
  TriggerStore,
  UpcomingOptions,
  UpcomingTriggers,
} from '../lookup-stores.js';
import type { Page, PagedResult } from '../paging.js';
import type { PausedTrigger, StoredTrigger } from '../records.js';
import { matchesTrigger } from './filters.js';
import { requireStorableMessages } from '../storable-rows.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';
import { addMessages } from './memory-outbox-store.js';
import { compareText, compareTime } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryTriggerStore implements TriggerStore {
  constructor(private readonly data: MemoryData) {}

  async findMany(filter: TriggerFilter): Promise<StoredTrigger[]> {
    const found = [...this.candidates(filter)].filter((row) => matchesTrigger(filter, row));
    return isolate(found.sort((left, right) => compareText(left.id, right.id)));
  }

  /** By an index, if the filter names anything that has one. */
  private candidates({ ids, hash, exclusiveKeys, workflowDefinitionIds }: TriggerFilter): Iterable<StoredTrigger> {
    const { triggers } = this.data;
    if (ids) return unique(ids).flatMap((id) => triggers.get(id) ?? []);
    if (hash !== undefined) return triggers.find('hash', hash);
    if (exclusiveKeys) return unique(exclusiveKeys).flatMap((key) => [...triggers.find('exclusiveKey', key)]);
    if (workflowDefinitionIds)
      return unique(workflowDefinitionIds).flatMap((id) => [...triggers.find('definition', id)]);
    return triggers.values();
  }

  async findDue(before: Date, limit: number): Promise<StoredTrigger[]> {
    const due = [...this.data.triggers.find('due', 'due')].filter((row) => compareTime(row.dueAt, before) <= 0);
    due.sort((left, right) => compareTime(left.dueAt, right.dueAt) || compareText(left.id, right.id));
    return isolate(due.slice(0, limit));
  }

  async findUpcoming({ limit, lookAheadMs, now }: UpcomingOptions): Promise<UpcomingTriggers> {
    const time = timeOf({ now });
    const triggers = await this.findDue(new Date(time + lookAheadMs), limit);
    return { triggers, now: triggers.length > 0 ? new Date(time) : undefined };
  }

  async advance(firing: TriggerFiring): Promise<boolean> {
    if (!isDueAt(this.data, firing)) return false;
    moveOn(this.data, firing);
    return true;
  }

  async claim(claims: readonly OccurrenceClaim[]): Promise<ReadonlySet<string>> {
    const messages = claims.flatMap(({ message }) => message ?? []);
    requireStorableMessages(messages);
    const copies = new Map(isolate(messages).map((message) => [message.id, message]));
    const claimed = new Set<string>();
    for (const { firing, message } of claims) {
      if (!isDueAt(this.data, firing)) continue;
      moveOn(this.data, firing);
      if (message) addMessages(this.data, [copies.get(message.id)!]);
      claimed.add(firing.triggerId);
    }
    return claimed;
  }

  async findScheduled({ paused, ...filter }: ScheduledTriggerFilter, page: Page): Promise<PagedResult<StoredTrigger>> {
    const found = [...this.candidates(filter)].filter(
      (row) =>
        row.dueAt !== undefined &&
        matchesTrigger(filter, row) &&
        (paused === undefined || paused === (row.paused !== undefined)),
    );
    const time = ({ dueAt }: StoredTrigger): number => dueAt?.getTime() ?? Infinity;
    found.sort((left, right) =>
      time(left) < time(right) ? -1 : +(time(left) > time(right)) || compareText(left.id, right.id),
    );
    return { items: isolate(found.slice(page.skip, page.skip + page.take)), totalCount: found.length };
  }

  async pause(id: string, paused: PausedTrigger): Promise<boolean> {
    const row = this.data.triggers.get(id);
    if (row?.dueAt?.getTime() !== paused.dueAt.getTime()) return false;
    this.data.triggers.put({ ...row, dueAt: null, paused: isolate(paused) });
    return true;
  }

  async unpause(id: string, pausedAt: Date, dueAt: Date | null): Promise<boolean> {
    const row = this.data.triggers.get(id);
    if (row?.paused?.at.getTime() !== pausedAt.getTime()) return false;
    this.data.triggers.put(withoutPause({ ...row, dueAt: dueAt && new Date(dueAt) }));
    return true;
  }

  async clearDueTimes(ids: readonly string[]): Promise<number> {
    const rows = unique(ids).flatMap((id) => this.data.triggers.get(id) ?? []);
    const scheduled = rows.filter((row) => row.dueAt || row.paused);
    for (const row of scheduled) this.data.triggers.put(withoutPause({ ...row, dueAt: null }));
    return scheduled.length;
  }
}

function withoutPause({ paused: _paused, ...row }: StoredTrigger): StoredTrigger {
  return row;
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

export function isDueAt(data: MemoryData, firing: TriggerFiring): boolean {
  return data.triggers.get(firing.triggerId)?.dueAt?.getTime() === firing.dueAt.getTime();
}

export function moveOn(data: MemoryData, firing: TriggerFiring): void {
  const row = data.triggers.get(firing.triggerId);
  if (!row) return;
  const { dueAt, nextDueAt, fired } = firing;
  const lastFiring = fired && isolate({ dueAt, firedAt: fired.at, result: fired.result });
  data.triggers.put({ ...row, dueAt: nextDueAt && new Date(nextDueAt), ...(lastFiring && { lastFiring }) });
}
