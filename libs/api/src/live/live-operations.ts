import { Injectable } from '@nestjs/common';
import { WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { NODE_LOST_MS } from '@waymark/runtime/adapter';
import type { LiveEvent, LiveFilter } from './live-events.js';

/** Queues and nodes change all the time; more often would not help a person who watches them. */
const LOOK_MS = 2_000;
/** Where counts end: beyond it, a difference is of no interest. */
const MOST_COUNTED = 1_000;
const MOST_NODES = 200;

/** Notices changes of queues, dead letters, tasks, schedules and nodes. */
@Injectable()
export class LiveOperations {
  private known: string | undefined;
  private lookAt = 0;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
  ) {}

  forget(): void {
    this.known = undefined;
  }

  /** The event to report. Undefined when nothing changed, no client follows operations, or the last look was just now. */
  async news(clients: Iterable<{ readonly wanted: LiveFilter }>): Promise<LiveEvent | undefined> {
    const now = this.clock.monotonic();
    if (now < this.lookAt || ![...clients].some(({ wanted }) => wanted.topics.has('operations'))) return undefined;
    this.lookAt = now + LOOK_MS;
    const isNews = await this.haveChanged();
    return isNews ? { name: 'operations-changed', topic: 'operations', definitionId: undefined, data: {} } : undefined;
  }

  /** Whether something changed since the last call; false at the first one. */
  async haveChanged(): Promise<boolean> {
    const now = this.clock.now();
    const [depths, nodes] = await Promise.all([
      this.persistence.statistics.depths(new Date(now), MOST_COUNTED),
      this.persistence.nodes.list(MOST_NODES),
    ]);
    const text = JSON.stringify([
      depths,
      nodes.map(({ name, state, seenAt, activeBursts }) => [
        name,
        state,
        activeBursts,
        now - seenAt.getTime() > NODE_LOST_MS,
      ]),
    ]);
    const isNews = this.known !== undefined && this.known !== text;
    this.known = text;
    return isNews;
  }
}
