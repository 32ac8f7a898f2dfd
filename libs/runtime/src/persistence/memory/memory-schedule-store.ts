import type { UpcomingOptions } from '../lookup-stores.js';
import type { Page, PagedResult } from '../paging.js';
import type { OutboxMessage, PausedTrigger } from '../records.js';
import type { ScheduleClaim, ScheduleOccurrenceClaim } from '../burst-commit.js';
import {
  type ListedSchedule,
  type ListedScheduleFilter,
  ScheduleOrigin,
  type ScheduleStore,
  type StoredSchedule,
  type UpcomingSchedules,
} from '../schedule-store.js';
import { requireStorableMessages, requireStorableSchedule } from '../storable-rows.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';
import { addMessages } from './memory-outbox-store.js';
import type { MemoryTriggerStore } from './memory-trigger-store.js';
import { compareText, compareTime, window } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryScheduleStore implements ScheduleStore {
  constructor(
    private readonly data: MemoryData,
    private readonly triggers: MemoryTriggerStore,
  ) {}

  async put(given: StoredSchedule): Promise<void> {
    requireStorableSchedule(given);
    const schedule = isolate(given, `schedule "${given.id}"`);
    const former = this.data.schedules.get(given.id);
    this.data.schedules.put(former ? replacing(former, schedule) : schedule);
  }

  async delete(id: string, token?: string): Promise<boolean> {
    if (token !== undefined && this.data.schedules.get(id)?.token !== token) return false;
    return this.data.schedules.delete(id);
  }

  async findMany(ids: readonly string[]): Promise<StoredSchedule[]> {
    const found = [...new Set(ids)].flatMap((id) => this.data.schedules.get(id) ?? []);
    return isolate(found.sort((left, right) => compareText(left.id, right.id)));
  }

  async findUpcoming({ limit, lookAheadMs, now }: UpcomingOptions): Promise<UpcomingSchedules> {
    const time = timeOf({ now });
    const end = new Date(time + lookAheadMs);
    const found = [...this.data.schedules.find('due', 'due')].filter((row) => compareTime(row.dueAt, end) <= 0);
    found.sort((left, right) => compareTime(left.dueAt, right.dueAt) || compareText(left.id, right.id));
    return { schedules: isolate(found.slice(0, limit)), now: found.length > 0 ? new Date(time) : undefined };
  }

  async fire(firing: ScheduleClaim, messages: readonly OutboxMessage[]): Promise<boolean> {
    requireStorableMessages(messages);
    if (!isScheduleDue(this.data, firing)) return false;
    const added = isolate(messages);
    moveScheduleOn(this.data, firing);
    addMessages(this.data, added);
    return true;
  }

  async claim(claims: readonly ScheduleOccurrenceClaim[]): Promise<ReadonlySet<string>> {
    const messages = claims.flatMap(({ message }) => message ?? []);
    requireStorableMessages(messages);
    const copies = new Map(isolate(messages).map((message) => [message.id, message]));
    const claimed = new Set<string>();
    for (const { firing, message } of claims) {
      if (!isScheduleDue(this.data, firing)) continue;
      moveScheduleOn(this.data, firing);
      if (message) addMessages(this.data, [copies.get(message.id)!]);
      claimed.add(firing.id);
    }
    return claimed;
  }

  async pause(id: string, paused: PausedTrigger): Promise<boolean> {
    const row = this.data.schedules.get(id);
    if (row?.dueAt?.getTime() !== paused.dueAt.getTime()) return false;
    this.data.schedules.put({ ...row, dueAt: undefined, paused: isolate(paused) });
    return true;
  }

  async unpause(id: string, pausedAt: Date, dueAt: Date): Promise<boolean> {
    const row = this.data.schedules.get(id);
    if (row?.paused?.at.getTime() !== pausedAt.getTime()) return false;
    this.data.schedules.put({ ...row, dueAt: new Date(dueAt), paused: undefined });
    return true;
  }

  async findListed(filter: ListedScheduleFilter, page: Page): Promise<PagedResult<ListedSchedule>> {
    const everything = { skip: 0, take: Infinity };
    const { origin, ...others } = filter;
    const triggers =
      origin === ScheduleOrigin.Application ? [] : (await this.triggers.findScheduled(others, everything)).items;
    const schedules =
      origin === ScheduleOrigin.Trigger ? [] : [...this.data.schedules.values()].filter((row) => matches(filter, row));
    const listed: Listed[] = [
      ...triggers.map((trigger) => ({ id: trigger.id, dueAt: trigger.dueAt, answer: { trigger } })),
      ...schedules.map((row) => ({ id: row.id, dueAt: row.dueAt, answer: { schedule: isolate(row) } })),
    ];
    listed.sort((left, right) => byTime(left, right) || compareText(left.id, right.id));
    const { items, ...total } = window(listed, page);
    return { items: items.map(({ answer }) => answer), ...total };
  }
}

export function isScheduleDue(data: MemoryData, { id, token, dueAt }: ScheduleClaim): boolean {
  const row = data.schedules.get(id);
  return row?.token === token && row.dueAt?.getTime() === dueAt.getTime();
}

export function moveScheduleOn(data: MemoryData, { id, dueAt, nextDueAt, fired }: ScheduleClaim): void {
  const row = data.schedules.get(id);
  const lastFiring = isolate({ dueAt, firedAt: fired.at, result: fired.result });
  if (row && nextDueAt) data.schedules.put({ ...row, dueAt: new Date(nextDueAt), lastFiring });
  else data.schedules.delete(id);
}

interface Listed {
  readonly id: string;
  readonly dueAt?: Date | null;
  readonly answer: ListedSchedule;
}

/** Those without a time last. */
function byTime({ dueAt: left }: Listed, { dueAt: right }: Listed): number {
  if (!left || !right) return Number(!left) - Number(!right);
  return left.getTime() - right.getTime();
}

function matches(
  { ids, names, workflowDefinitionIds, paused }: ListedScheduleFilter,
  { id, name, workflowDefinitionId, paused: isPaused }: StoredSchedule,
): boolean {
  if (ids && !ids.includes(id)) return false;
  if (names && !names.includes(name)) return false;
  if (workflowDefinitionIds && !(workflowDefinitionId && workflowDefinitionIds.includes(workflowDefinitionId)))
    return false;
  return paused === undefined || paused === (isPaused !== undefined);
}

function replacing(former: StoredSchedule, schedule: StoredSchedule): StoredSchedule {
  const isSame = former.hash === schedule.hash;
  const { dueAt, paused, lastFiring } = former;
  if (isSame) return { ...schedule, dueAt, paused, lastFiring };
  if (!paused) return schedule;
  return { ...schedule, dueAt: undefined, paused: { at: paused.at, dueAt: schedule.dueAt ?? paused.dueAt } };
}
