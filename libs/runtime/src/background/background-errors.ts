import { WaymarkError } from '@waymark/core';

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
      `Activity execution "${activityInstanceId}" was started ${attempts} times in the background and never finished: ${reason} ` +
        'Find out why its process dies, then retry the instance.',
    );
  }
}
