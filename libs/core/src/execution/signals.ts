import type { ActivityExecutionContext } from './activity-execution-context.js';

/** A message that climbs from an activity through its ancestors until one of them stops it. */
export interface Signal {
  readonly type: string;
}

/** Leaves the nearest loop. */
export class BreakSignal implements Signal {
  readonly type = 'Break';
  /** The loop that took the signal. */
  loop?: ActivityExecutionContext;
}

/** Completes the nearest composite: a workflow used as an activity, or the workflow itself. */
export class CompleteCompositeSignal implements Signal {
  readonly type = 'CompleteComposite';
  constructor(readonly result?: unknown) {}
}

/** An activity faulted. A handler that stops it takes over: the fault is recovered and no incident strategy runs. */
export class FaultSignal implements Signal {
  readonly type = 'Fault';
  constructor(
    readonly exception: unknown,
    readonly faulted: ActivityExecutionContext,
  ) {}
}

/** An activity ended its turn waiting for a bookmark. A container may find that it is not needed any more. */
export class SuspendedSignal implements Signal {
  readonly type = 'Suspended';
}

/** Asks a container to run one of its children (again), e.g. to repair an instance. */
export class ScheduleChildSignal implements Signal {
  readonly type = 'ScheduleChild';
  constructor(
    readonly childId: string,
    readonly existing?: ActivityExecutionContext,
    readonly input?: Record<string, unknown>,
  ) {}
}

/** Given to `onSignal` of each activity on the way. */
export interface SignalContext {
  readonly sender: ActivityExecutionContext;
  readonly receiver: ActivityExecutionContext;
  stopPropagation(): void;
}
