import type { ExceptionState } from './workflow-state.js';

/** The caught error as a catch branch sees it, as variable and as output `Error`. */
export interface CaughtError {
  /** Code of the error, such as `WM5012`, or the code of a business fault; null if it has none. */
  readonly code: string | null;
  /** Name of the error, such as `TypeError`; `FaultException` for a business fault. */
  readonly type: string;
  /** What went wrong. */
  readonly message: string;
  /** The activity that failed. */
  readonly activityId: string;
  /** Type name of the activity, such as `Elsa.WriteLine`. */
  readonly activityType: string;
  /** Id of the execution of the activity. */
  readonly activityInstanceId: string;
}

/** An error as a scope keeps it while it cleans up. */
export interface StoredFault {
  readonly exception: ExceptionState;
  readonly error: CaughtError;
  /** By which catches find it: its codes, and its name with those of its base classes. */
  readonly keys: readonly string[];
}

/** An error that a scope passes on when it has cleaned up. The one that was thrown may be gone with its process. */
export class CarriedFault extends Error {
  readonly code: string | undefined;

  constructor(readonly fault: StoredFault) {
    super(fault.exception.message);
    this.name = fault.exception.type;
    this.code = fault.keys[0];
  }
}
