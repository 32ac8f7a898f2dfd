import type { ActivityNode } from '../graph/activity-node.js';

/** A child that runs or waits while its container moves to another version. */
export interface MigratedChild {
  /** The child in the version that the instance leaves. */
  readonly from: ActivityNode;
  /** Its counterpart in the other version. */
  readonly to: ActivityNode;
  /** Tag of its execution and of its completion callback; the container may change it. */
  tag: unknown;
}

/**
 * Describes an execution that moves to another version of its workflow. Positions, ids and connections that it has stored about
 * its children must be changed to those of the other version, or it would continue at the wrong place.
 */
export interface ActivityMigration {
  /** The activity of the version that the instance leaves. */
  readonly from: ActivityNode;
  /** Its counterpart in the other version. */
  readonly to: ActivityNode;
  /**
   * The activity object of the version that it leaves. It has the class of `this`, unless the two versions use different
   * versions of the activity type.
   */
  readonly activity: object;
  /** A copy of `ctx.properties`, to be changed. */
  readonly properties: Record<string, unknown>;
  /** Running children and their counterparts. */
  readonly children: readonly MigratedChild[];
  /** Returns the counterpart of an activity of the version that it leaves; undefined if there is none. */
  counterpartOf(node: ActivityNode): ActivityNode | undefined;
  /** Refuses the migration. The sentence says what has no counterpart. */
  refuse(reason: string): void;
  /** Adds a note to the report, about something that readers may not expect. */
  note(text: string): void;
}
