/** How activities and variables of a version are called in another one. What is not named keeps its name. */
export interface MigrationMapping {
  /** Activity id, or node id, of the version that is left → that of the other one. */
  readonly activities?: Readonly<Record<string, string>> | undefined;
  /** Id or name of a variable → that of the other version; null: its value is given up. */
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
  /** A container cannot go on from where it is. */
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

export interface MigrationProblem {
  readonly code: MigrationProblemCode;
  /** A sentence that says what to do. */
  readonly message: string;
  readonly activityId?: string;
  readonly activityInstanceId?: string;
  readonly variable?: string;
}

/** Names one activity of a version. */
export interface ActivityReference {
  readonly activityId: string;
  readonly activityNodeId: string;
}

/** An execution that runs, waits or has failed, and where it goes on. */
export interface MigratedActivity extends ActivityReference {
  readonly activityInstanceId: string;
  readonly activityType: string;
  /** Absent: it has no counterpart. */
  readonly to?: ActivityReference;
}

/** A bookmark: who waits there, for what, and until when. */
export interface MigratedWait extends ActivityReference {
  readonly activityInstanceId: string;
  readonly bookmarkId: string;
  /** Name of the stimulus. */
  readonly name: string;
  readonly dueAt?: Date;
  readonly to?: ActivityReference;
}

/** A variable with a stored value. */
export interface MigratedVariable {
  readonly name: string;
  readonly activityInstanceId: string;
  /** Name in the other version. Absent: its value is given up, or has no place. */
  readonly to?: string;
  /** The value was converted to another type. */
  readonly isConverted?: true;
}

/** What a migration does to one instance, or why it cannot be done. */
export interface MigrationReport {
  readonly workflowInstanceId: string;
  readonly definitionId: string;
  readonly fromVersion: number;
  readonly toVersion: number;
  /** True: there are no problems. */
  readonly isPossible: boolean;
  readonly problems: readonly MigrationProblem[];
  readonly waits: readonly MigratedWait[];
  readonly activities: readonly MigratedActivity[];
  readonly variables: readonly MigratedVariable[];
  /** What will be as the reader may not expect. */
  readonly notes: readonly string[];
}
