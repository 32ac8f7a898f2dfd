import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { roughSize } from './rough-size.js';
import { SharedAnswers } from './shared-answers.js';

/** Where faulted instances failed, of one version. */
export interface FaultPlace {
  readonly definitionVersionId: string;
  readonly activityNodeId: string;
  readonly instances: number;
  /** When the newest of them failed. */
  readonly newestAt: Date;
}

export interface FaultPlaces {
  readonly versions: ReadonlyMap<string, { readonly version: number; readonly faulted: number }>;
  readonly places: readonly FaultPlace[];
  /** False: only the newest were read. */
  readonly isComplete: boolean;
}

/** States are read for it, one after the other: few, as each may be large. */
const MOST_READ = 100;
/** Of all states that are read for one answer, in characters: the one that goes beyond is the last. */
const MOST_SIZE = 8_000_000;

/** Where the newest faulted instances of a definition failed, as their states say. */
@Injectable()
export class FaultedInstances {
  private readonly answers: SharedAnswers<FaultPlaces>;

  constructor(
    private readonly persistence: WorkflowPersistence,
    clock: WorkflowClock,
  ) {
    this.answers = new SharedAnswers(clock, (definitionId) => this.read(definitionId));
  }

  /** As it was at most five seconds ago. */
  of(definitionId: string): Promise<FaultPlaces> {
    return this.answers.of(definitionId);
  }

  private async read(definitionId: string): Promise<FaultPlaces> {
    const { items } = await this.persistence.instances.findMany(
      { definitionIds: [definitionId], subStatuses: ['Faulted'] },
      { by: 'Created', direction: 'Descending' },
      { skip: 0, take: MOST_READ + 1 },
    );
    const versions = new Map<string, { version: number; faulted: number }>();
    const places = new Map<string, FaultPlace>();
    let [count, size] = [0, 0];
    for (const { id } of items.slice(0, MOST_READ)) {
      if (size > MOST_SIZE) break;
      // Other requests get their turn, also where the store answers at once.
      await setImmediate();
      const instance = await this.persistence.instances.load(id);
      count++;
      size += roughSize(instance?.state, MOST_SIZE - size);
      const incident = instance?.state.incidents.at(-1);
      if (instance?.subStatus !== 'Faulted' || !incident) continue;
      const { definitionVersionId, version } = instance;
      versions.set(definitionVersionId, {
        version,
        faulted: (versions.get(definitionVersionId)?.faulted ?? 0) + 1,
      });
      const { activityNodeId, timestamp } = incident;
      const key = JSON.stringify([definitionVersionId, activityNodeId]);
      const known = places.get(key);
      places.set(key, {
        definitionVersionId,
        activityNodeId,
        instances: (known?.instances ?? 0) + 1,
        newestAt: known && known.newestAt > timestamp ? known.newestAt : timestamp,
      });
    }
    return { versions, places: [...places.values()], isComplete: count === items.length };
  }
}
