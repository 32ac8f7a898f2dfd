import type { ActivityNode } from '../graph/activity-node.js';

/** A child that runs or waits while its container moves to another version. */
export interface MigratedChild {
  /** The child in the version that the instance leaves. */
  readonly from: ActivityNode;
  /** Its counterpart in the other version. */
  readonly to: ActivityNode;
  /** That of its execution and of its completion callback: for the container to change. */
  tag: unknown;
}

/**
 * One execution of an activity that moves to another version of its workflow. What it has stored about its children by place,
 * id or connection has to be that of the other version, or it would go on somewhere else.
 */
export interface ActivityMigration {
  /** The activity of the version that the instance leaves. */
  readonly from: ActivityNode;
  /** Its counterpart in the other version. */
  readonly to: ActivityNode;
  /** The activity object of the version that it leaves: of the class of `this`, unless the version of its type is another one. */
  readonly activity: object;
  /** A copy of `ctx.properties`, to be changed. */
  readonly properties: Record<string, unknown>;
  /** Running children and their counterparts. */
  readonly children: readonly MigratedChild[];
  /** The activity that takes the place of one of the version it leaves. Undefined: there is none. */
  counterpartOf(node: ActivityNode): ActivityNode | undefined;
  /** The instance cannot move: say what has no counterpart, in a sentence. */
  refuse(reason: string): void;
  /** For the report: something that will be as the reader may not expect. */
  note(text: string): void;
}
