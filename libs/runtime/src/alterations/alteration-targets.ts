import { Injectable } from '@nestjs/common';
import type { ActivityExecutionRecord } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import {
  type AlterationActivityFilter,
  type AlterationFilter,
  selectsNothing,
} from '../persistence/alteration-selection.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import { JournalScan } from '../persistence/journal-scan.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Some of the instances that a filter selects. */
export interface FoundInstances {
  /** Their ids. */
  readonly ids: readonly string[];
  /** Where the rest begins; undefined if there is none. */
  readonly next: string | undefined;
}

/** Instances that are looked at together. */
const AT_ONCE = 200;

/** Finds the instances that a filter selects, a part at a time: any number of them may be. */
@Injectable()
export class AlterationTargets {
  private readonly ordered = new WeakMap<readonly string[], readonly string[]>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
  ) {}

  /** All of them that are there now, in order of id. */
  async *find(filter: AlterationFilter): AsyncGenerator<readonly string[], void> {
    const until = new Date(this.clock.now());
    for (let cursor: string | undefined; ;) {
      // Where the store answers without leaving the process, all parts would be one turn of the event loop.
      const turn = loopTurns.goOn();
      if (turn) await turn;
      const { ids, next } = await this.next(filter, cursor, until);
      if (ids.length > 0) yield ids;
      if (next === undefined) return;
      cursor = next;
    }
  }

  /**
   * The next part. It may be empty although there are more.
   * @param cursor where the part before has ended: its last id, or the place in the list of ids that the filter names
   * @param until leaves out what was created later: new instances come last, and there might be no end of them
   */
  async next(filter: AlterationFilter, cursor: string | undefined, until: Date): Promise<FoundInstances> {
    const { emptyFilterSelectsAll, isSystem = false, searchTerm, hasIncidents, ...lists } = filter;
    if (selectsNothing(filter)) return { ids: [], next: undefined };
    const activityFilters = (filter.activityFilters ?? []).filter(hasCondition);
    const conditions = [searchTerm, hasIncidents, ...Object.values({ ...lists, activityFilters })];
    const isEmpty = conditions.every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
    if (isEmpty && !emptyFilterSelectsAll) return { ids: [], next: undefined };
    const { ids, next } = await this.look(cursor, until, {
      ids: filter.workflowInstanceIds,
      correlationIds: filter.correlationIds,
      names: filter.names,
      searchTerm,
      timestamps: filter.timestampFilters?.length ? filter.timestampFilters : undefined,
      definitionIds: filter.definitionIds,
      definitionVersionIds: filter.definitionVersionIds,
      hasIncidents,
      isSystem,
      statuses: filter.statuses,
      subStatuses: filter.subStatuses,
    });
    return { ids: activityFilters.length > 0 ? await this.withActivities(ids, activityFilters) : ids, next };
  }

  private async look(cursor: string | undefined, until: Date, filter: InstanceFilter): Promise<FoundInstances> {
    const { instances } = this.persistence;
    if (!filter.ids) {
      const created = { column: 'CreatedAt', operator: 'LessThanOrEqual', timestamp: until } as const;
      const bounded = { ...filter, timestamps: [...(filter.timestamps ?? []), created] };
      const ids = await instances.findIds(bounded, { after: cursor, limit: AT_ONCE });
      return { ids, next: ids.length === AT_ONCE ? ids.at(-1) : undefined };
    }
    const named = this.inOrder(filter.ids);
    const begin = Number(cursor ?? 0);
    const end = begin + AT_ONCE;
    const ids = await instances.findIds({ ...filter, ids: named.slice(begin, end) }, { limit: AT_ONCE });
    return { ids, next: end < named.length ? String(end) : undefined };
  }

  private async withActivities(
    ids: readonly string[],
    filters: readonly AlterationActivityFilter[],
  ): Promise<string[]> {
    const found: string[] = [];
    for (const id of ids) {
      const turn = loopTurns.goOn();
      if (turn) await turn;
      if (await this.hasActivities(id, filters)) found.push(id);
    }
    return found;
  }

  /** Each part of a list begins where the one before ended: it is sorted once. */
  private inOrder(ids: readonly string[]): readonly string[] {
    const known = this.ordered.get(ids) ?? [...new Set(ids)].sort();
    this.ordered.set(ids, known);
    return known;
  }

  /** Each filter may hold for another execution. */
  private async hasActivities(id: string, filters: readonly AlterationActivityFilter[]): Promise<boolean> {
    let missing = filters;
    const scan = await JournalScan.of(this.persistence.journal, id);
    for await (const records of scan.latestRecords()) {
      missing = missing.filter((filter) => !records.some((record) => isSelected(record, filter)));
      if (missing.length === 0) return true;
    }
    return false;
  }
}

/** One without any condition says nothing, as in Elsa. */
const hasCondition = (filter: AlterationActivityFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

function isSelected(record: ActivityExecutionRecord, filter: AlterationActivityFilter): boolean {
  const fits = (wanted: string | undefined, actual: string | undefined) => wanted === undefined || wanted === actual;
  return (
    fits(filter.activityId, record.activityId) &&
    fits(filter.activityInstanceId, record.id) &&
    fits(filter.nodeId, record.activityNodeId) &&
    fits(filter.name, record.activityName) &&
    fits(filter.status, record.status)
  );
}
