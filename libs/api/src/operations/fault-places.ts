import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { WorkflowPersistence } from '@waymark/runtime';

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

/** Where the newest faulted instances of a definition failed, as their states say. */
@Injectable()
export class FaultedInstances {
  constructor(private readonly persistence: WorkflowPersistence) {}

  async of(definitionId: string): Promise<FaultPlaces> {
    const { items } = await this.persistence.instances.findMany(
      { definitionIds: [definitionId], subStatuses: ['Faulted'] },
      { by: 'Created', direction: 'Descending' },
      { skip: 0, take: MOST_READ + 1 },
    );
    const versions = new Map<string, { version: number; faulted: number }>();
    const places = new Map<string, FaultPlace>();
    for (const { id } of items.slice(0, MOST_READ)) {
      const instance = await this.persistence.instances.load(id);
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
      // Other requests get their turn, also where the store answers at once.
      await setImmediate();
    }
    return { versions, places: [...places.values()], isComplete: items.length <= MOST_READ };
  }
}
