import type { InstanceFilter } from '../persistence/instance-store.js';

/** What becomes of instances whose definition, or whose version of it, is deleted. */
export abstract class DefinitionInstances {
  /** Those that run are cancelled first. @returns how many @throws the error of the first one that could not be cancelled */
  abstract deleteAll(filter: InstanceFilter): Promise<number>;
}
