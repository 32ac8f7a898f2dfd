import { WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { LoadedInstance } from '../records.js';
import type {
  DefinitionFailures,
  DefinitionStanding,
  Depths,
  NodeStanding,
  StatisticsStore,
  Throughput,
  ThroughputSlot,
  VersionStanding,
} from '../statistics-store.js';
import type { MemoryData } from './memory-data.js';
import { compareText, compareTime } from './ordering.js';

type Growing<T> = { -readonly [M in keyof T]: T[M] };

export class MemoryStatisticsStore implements StatisticsStore {
  constructor(private readonly data: MemoryData) {}

  async standing(definitionId: string, atMost: number): Promise<DefinitionStanding> {
    const versions = new Map<string, Growing<VersionStanding>>();
    const nodes = new Map<string, Growing<NodeStanding>>();
    let looked = 0;
    for (const { id, definitionId: own, definitionVersionId, version, status } of this.data.instances.values()) {
      if (own !== definitionId || status !== WorkflowStatus.Running) continue;
      if (looked++ >= atMost) break;
      const counted = versions.get(definitionVersionId) ?? { definitionVersionId, version, running: 0 };
      versions.set(definitionVersionId, { ...counted, running: counted.running + 1 });
      this.addPlaces(nodes, id, definitionVersionId);
    }
    return {
      versions: [...versions.values()].sort((left, right) => right.version - left.version),
      nodes: [...nodes.values()].sort(
        (left, right) =>
          compareText(left.definitionVersionId, right.definitionVersionId) ||
          compareText(left.activityNodeId ?? '', right.activityNodeId ?? ''),
      ),
      isComplete: looked < atMost,
    };
  }

  private addPlaces(nodes: Map<string, Growing<NodeStanding>>, instanceId: string, definitionVersionId: string): void {
    const places = new Map<string | undefined, Date>();
    for (const { activityNodeId, createdAt } of this.data.bookmarks.find('instance', instanceId)) {
      const known = places.get(activityNodeId);
      if (!known || createdAt < known) places.set(activityNodeId, createdAt);
    }
    for (const [activityNodeId, since] of places) {
      const key = JSON.stringify([definitionVersionId, activityNodeId]);
      const known = nodes.get(key);
      nodes.set(key, {
        definitionVersionId,
        activityNodeId,
        instances: (known?.instances ?? 0) + 1,
        since: known && known.since < since ? known.since : since,
      });
    }
  }

  async failures(limit: number, atMost: number): Promise<DefinitionFailures[]> {
    const faulted = this.newest('createdAt', new Date(0), atMost, (row) => row.subStatus === WorkflowSubStatus.Faulted);
    const found = new Map<string, Growing<DefinitionFailures>>();
    for (const { definitionId, createdAt } of faulted) {
      const known = found.get(definitionId) ?? { definitionId, instances: 0, newestAt: createdAt };
      found.set(definitionId, { ...known, instances: known.instances + 1 });
    }
    return [...found.values()]
      .sort((left, right) => right.instances - left.instances || compareText(left.definitionId, right.definitionId))
      .slice(0, limit);
  }

  async throughput(from: Date, slotMs: number, atMost: number): Promise<Throughput> {
    const slots = new Map<number, Growing<ThroughputSlot>>();
    const at = (date: Date) => {
      const start = date.getTime() - (date.getTime() % slotMs);
      const slot = slots.get(start) ?? { from: new Date(start), started: 0, finished: 0, faulted: 0 };
      slots.set(start, slot);
      return slot;
    };
    const started = this.newest('createdAt', from, atMost);
    const finished = this.newest('finishedAt', from, atMost);
    for (const { createdAt } of started) at(createdAt).started++;
    for (const { finishedAt, subStatus } of finished)
      at(finishedAt!)[subStatus === WorkflowSubStatus.Faulted ? 'faulted' : 'finished']++;
    const cuts = [
      started.length < atMost ? undefined : started.at(-1)?.createdAt,
      finished.length < atMost ? undefined : finished.at(-1)?.finishedAt,
    ];
    return {
      slots: [...slots.values()].sort((left, right) => compareTime(left.from, right.from)),
      countedFrom: new Date(Math.max(from.getTime(), ...cuts.map((cut) => cut?.getTime() ?? 0))),
    };
  }

  private newest(
    member: 'createdAt' | 'finishedAt',
    from: Date,
    atMost: number,
    isWanted: (row: LoadedInstance) => boolean = () => true,
  ): LoadedInstance[] {
    return [...this.data.instances.values()]
      .filter((row) => row[member] !== undefined && row[member] >= from && isWanted(row))
      .sort((left, right) => compareTime(right[member], left[member]))
      .slice(0, atMost);
  }

  async depths(now: Date, atMost: number): Promise<Depths> {
    const { outbox, queue, deadLetters, bookmarks, triggers, schedules, userTasks, userTaskEvents } = this.data;
    const waiting = [...outbox.values()].filter(({ readyAt }) => readyAt !== undefined);
    const [first] = waiting.toSorted((left, right) => compareTime(left.createdAt, right.createdAt));
    const due = [...bookmarks.find('due', 'due')].filter(({ dueAt }) => dueAt! <= now);
    const times = [...triggers.find('due', 'due'), ...schedules.find('due', 'due')].map(({ dueAt }) =>
      dueAt!.getTime(),
    );
    const open = [...userTasks.values()].filter(({ status }) => status === 'Open');
    const upTo = (count: number) => Math.min(count, atMost);
    return {
      outbox: upTo(waiting.length),
      outboxDeadLetters: upTo(outbox.size - waiting.length),
      outboxOldestAt: first?.createdAt,
      queue: upTo(queue.size),
      queueDeadLetters: upTo(deadLetters.size),
      dueTimers: upTo(due.length),
      schedules: upTo(times.length),
      nextScheduleAt: times.length === 0 ? undefined : new Date(Math.min(...times)),
      openTasks: upTo(open.length),
      lastTaskChange: userTaskEvents.size === 0 ? undefined : String(userTaskEvents.size),
    };
  }
}
