import type { InstanceFilter } from '../persistence/instance-store.js';

/** What becomes of instances whose definition, or whose version of it, is deleted. */
export abstract class DefinitionInstances {
  /** Ends those that run, while their definition is still there: from then on their activities are unknown. */
  abstract cancel(filter: InstanceFilter): Promise<void>;
  /** Those that run are cancelled first. @returns how many @throws the error of the first one that could not be cancelled */
  abstract deleteAll(filter: InstanceFilter): Promise<number>;
}
