import type { LoadedInstance } from '../persistence/records.js';
import type { BurstExtras } from './burst-commit-builder.js';
import type { SharedBurst } from './shared-burst.js';

/** How far a burst has been stored. */
export interface BurstProgress {
  before: LoadedInstance | undefined;
  extras: BurstExtras;
  /** The next commit is the first one of a burst that is the instance's first. */
  isFirst: boolean;
  /** Its name in the store, from when its first commit half-way is begun. */
  burstId: string | undefined;
  /** True from its first commit half-way on. */
  isStoredHalfway?: boolean;
  /** Resumes that share it. */
  readonly shared: SharedBurst | undefined;
  /** Called when it has ended. @param isStored false: the rest of it is still to be done */
  onEnd?: (isStored: boolean) => void;
}
