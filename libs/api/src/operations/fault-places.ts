import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { roughSize } from './rough-size.js';
import { SharedAnswers } from './shared-answers.js';

/** Faulted instances of one version that failed at the same activity. */
interface FaultPlace {
  readonly definitionVersionId: string;
  readonly activityNodeId: string;
  readonly instances: number;
  /** When the newest of them failed. */
  readonly newestAt: Date;
}

export interface FaultPlaces {
  readonly versions: ReadonlyMap<string, { readonly version: number; readonly faulted: number }>;
  readonly places: readonly FaultPlace[];
  /** If false, only the newest instances were read. */
  readonly isComplete: boolean;
}

/** Instances whose state is read, one after the other. Each may be large. */
const MOST_READ = 100;
/** Characters of all states of one answer. The state that exceeds it is the last one to be read. */
const MOST_SIZE = 8_000_000;

/** Finds out from their states where the newest faulted instances of a definition failed. */
@Injectable()
export class FaultedInstances {
  private readonly answers: SharedAnswers<FaultPlaces>;

  constructor(
    private readonly persistence: WorkflowPersistence,
    clock: WorkflowClock,
  ) {
    this.answers = new SharedAnswers(clock, (definitionId) => this.read(definitionId));
  }

  /** The result may be five seconds old. */
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
      // Lets other requests run, also with a store that answers without I/O.
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
