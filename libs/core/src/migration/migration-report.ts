/** Maps activities and variables of one version to those of another. Those that are not named keep their names. */
export interface MigrationMapping {
  /** Activity id, or node id, of the version that is left → that of the other one. */
  readonly activities?: Readonly<Record<string, string>> | undefined;
  /** Id or name of a variable → that of the other version; null drops its value. */
  readonly variables?: Readonly<Record<string, string | null>> | undefined;
}

/** Why an instance cannot move to a version. */
export const MigrationProblemCode = {
  /** It has ended, and was not faulted. */
  Ended: 'Ended',
  /** A burst of it is under way: try again once it waits. */
  Busy: 'Busy',
  /** There is no such version. */
  NoVersion: 'NoVersion',
  /** An activity that runs or waits is not part of the other version. */
  NoCounterpart: 'NoCounterpart',
  /** Its counterpart is of another type, or has not the method that is to be called. */
  OtherType: 'OtherType',
  /** Two would become one. */
  Ambiguous: 'Ambiguous',
  /** A container cannot continue from where it is. */
  ContainerState: 'ContainerState',
  /** A variable with a value is not part of the other version. */
  VariableLost: 'VariableLost',
  /** The value of a variable does not fit its type in the other version. */
  VariableDoesNotFit: 'VariableDoesNotFit',
  /** The mapping names what a version does not have. */
  UnknownMapping: 'UnknownMapping',
  /** What runs in the background will set variables under the names that they had. */
  BackgroundWork: 'BackgroundWork',
} as const;
export type MigrationProblemCode = (typeof MigrationProblemCode)[keyof typeof MigrationProblemCode];

/** Why an instance cannot move to another version. */
export interface MigrationProblem {
  /** Stable code; docs/errors.md says what it means and what to do. */
  readonly code: MigrationProblemCode;
  /** A sentence that says what to do. */
  readonly message: string;
  /** Id of the activity in its definition. */
  readonly activityId?: string;
  /** Id of the execution of the activity. */
  readonly activityInstanceId?: string;
  /** Name of the variable that it is about. */
  readonly variable?: string;
}

/** Names one activity of a version. */
export interface ActivityReference {
  /** Id of the activity in its definition. */
  readonly activityId: string;
  /** Node id of the activity: its id behind those of its ancestors. */
  readonly activityNodeId: string;
}

/** An execution that runs, waits or has failed, and its counterpart. */
export interface MigratedActivity extends ActivityReference {
  /** Id of the execution of the activity. */
  readonly activityInstanceId: string;
  /** Type name of the activity, such as `Elsa.WriteLine`. */
  readonly activityType: string;
  /** Its counterpart; absent if it has none. */
  readonly to?: ActivityReference;
}

/** A bookmark: which activity waits, for what, and until when. */
export interface MigratedWait extends ActivityReference {
  /** Id of the execution of the activity. */
  readonly activityInstanceId: string;
  /** Id of the bookmark. */
  readonly bookmarkId: string;
  /** Name of the stimulus. */
  readonly name: string;
  /** When the wait is over; absent: it has no due time. */
  readonly dueAt?: Date;
  /** The activity that waits afterwards. */
  readonly to?: ActivityReference;
}

/** A variable with a stored value. */
export interface MigratedVariable {
  /** Name of the variable. */
  readonly name: string;
  /** Id of the execution of the activity. */
  readonly activityInstanceId: string;
  /** Name in the other version; absent if its value is dropped. */
  readonly to?: string;
  /** The value was converted to another type. */
  readonly isConverted?: true;
}

/** What a migration changes in one instance, or why it is not possible. */
export interface MigrationReport {
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /** Logical id of the workflow definition, which all its versions share. */
  readonly definitionId: string;
  /** Number of the version that the instance leaves. */
  readonly fromVersion: number;
  /** Number of the version that it moves to. */
  readonly toVersion: number;
  /** If true, there are no problems. */
  readonly isPossible: boolean;
  /** Problems that prevent the migration; empty if it is possible. */
  readonly problems: readonly MigrationProblem[];
  /** Bookmarks at which the instance continues to wait. */
  readonly waits: readonly MigratedWait[];
  /** Running activities and their counterparts. */
  readonly activities: readonly MigratedActivity[];
  /** Variables whose values move along. */
  readonly variables: readonly MigratedVariable[];
  /** Notes on effects that readers may not expect. */
  readonly notes: readonly string[];
}
