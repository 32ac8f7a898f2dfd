import { WaymarkError } from '@waymark/core';

/**
 * Fault of an activity that ran in the background for longer than the option `backgroundTimeoutMs`, and has no `timeout` of its own. It is
 * stored, and the reason of the activity's signal.
 */
export class BackgroundTimeLimitError extends WaymarkError {
  readonly code = 'WM7041';
  constructor(
    /** Id of the execution of the activity. */
    readonly activityInstanceId: string,
    /** The limit, in milliseconds. */
    readonly limitMs: number,
  ) {
    super(
      `Activity execution "${activityInstanceId}" ran in the background for ${limitMs / 1000} s, which is the limit of its node ` +
        '(backgroundTimeoutMs). Pass ctx.signal to what it calls, or give it a longer `timeout`; then retry the instance.',
    );
  }
}

/** Fault of an activity that was started repeatedly in the background while no run completed. It is stored, and not thrown. */
export class BackgroundActivityAbandonedError extends WaymarkError {
  readonly code = 'WM3006';
  constructor(
    /** Id of the execution of the activity. */
    readonly activityInstanceId: string,
    /** How often it was begun. */
    readonly attempts: number,
    reason: string,
  ) {
    super(
      `Activity execution "${activityInstanceId}" was started ${attempts === 1 ? 'once' : `${attempts} times`} in the background and never finished: ${reason} ` +
        'Find out why its process dies, then retry the instance.',
    );
  }
}
