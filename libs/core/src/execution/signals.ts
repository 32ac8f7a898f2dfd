import type { ActivityExecutionContext } from './activity-execution-context.js';

/** A message that climbs from an activity through its ancestors until one of them stops it. */
export interface Signal {
  /** Name of the signal. */
  readonly type: string;
}

/** Leaves the nearest loop. */
export class BreakSignal implements Signal {
  /** Name of the signal. */
  readonly type = 'Break';
  /** The loop that took the signal. */
  loop?: ActivityExecutionContext;
  /** A scope in the loop that took the signal, since it has to be left first, and what leaves it. @internal */
  scope?: { readonly ctx: ActivityExecutionContext; readonly leave: () => unknown };
}

/** Completes the nearest composite: a workflow used as an activity, or the workflow itself. */
export class CompleteCompositeSignal implements Signal {
  /** Name of the signal. */
  readonly type = 'CompleteComposite';
  constructor(
    /** Outcomes that the composite completes with. */
    readonly result?: unknown,
  ) {}
}

/** An activity faulted. A handler that stops it takes over: the fault is recovered and no incident strategy runs. */
export class FaultSignal implements Signal {
  /** Name of the signal. */
  readonly type = 'Fault';
  constructor(
    /** What was thrown. */
    readonly exception: unknown,
    /** The execution that faulted. */
    readonly faulted: ActivityExecutionContext,
  ) {}
}

/** An activity ended its turn waiting for a bookmark. A container may find that it is not needed any more. */
export class SuspendedSignal implements Signal {
  readonly type = 'Suspended';
}

/** Asks a container to run one of its children (again), e.g. to repair an instance. */
export class ScheduleChildSignal implements Signal {
  /** Name of the signal. */
  readonly type = 'ScheduleChild';
  constructor(
    /** Id of the activity to schedule. */
    readonly childId: string,
    /** The execution that continues; absent: a new one begins. */
    readonly existing?: ActivityExecutionContext,
    /** Input of this execution alone. */
    readonly input?: Record<string, unknown>,
  ) {}
}

/** Passed to `onSignal` of each activity that the signal reaches. */
export interface SignalContext {
  /** The execution that sent the signal. */
  readonly sender: ActivityExecutionContext;
  /** The ancestor that handles it now. */
  readonly receiver: ActivityExecutionContext;
  /** Stops the signal: it does not reach further ancestors. */
  stopPropagation(): void;
}
