import type { Expression } from '../expressions/expression.js';

/** JSON of one activity: `type`, `id`, inputs, outputs, child activities. Members besides these are kept as they are. */
export interface ActivityJson {
  type: string;
  id?: string;
  nodeId?: string;
  name?: string | null;
  version?: number;
  customProperties?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  [member: string]: unknown;
}

/** An input as it stands in JSON. `memoryReference` is only written for synthetic inputs. */
export interface InputJson {
  typeName: string | null;
  expression: Expression | null;
  memoryReference?: { id: string } | null;
}

/** Where an output goes: to the variable with that id, or to the workflow output with that name. */
export interface OutputJson {
  typeName?: string | null;
  memoryReference: { id: string };
  converter?: { id: string; settings?: Record<string, unknown> } | null;
}

/** A variable of a definition or container. `value` is the default in string form (JSON text for objects and arrays). */
export interface VariableDefinition {
  id: string;
  name: string;
  typeName: string;
  isArray: boolean;
  value?: unknown;
  /** Alias of a storage driver; null: the value lives only as long as a burst. */
  storageDriverTypeName?: string | null;
}

export interface InputDefinition {
  type: string;
  name: string;
  displayName?: string;
  description?: string;
  category?: string;
  isArray: boolean;
  uiHint?: string;
  storageDriverType?: string | null;
  defaultValue?: unknown;
  /** True: it is not started without this input, unless `strictConversions` is false, or a trigger starts it. */
  isRequired?: boolean;
}

export interface OutputDefinition {
  type: string;
  name: string;
  displayName?: string;
  description?: string;
  category?: string;
  isArray: boolean;
}

export interface WorkflowOptions {
  /** Any spelling of `AllowAlways`, `Singleton`, `CorrelatedSingleton`, `Correlation` (matched on the class name). */
  activationStrategyType?: string | null;
  usableAsActivity?: boolean | null;
  autoUpdateConsumingWorkflows?: boolean;
  activityCategory?: string | null;
  /** Any spelling of `FaultStrategy` or `ContinueWithIncidentsStrategy`. */
  incidentStrategyType?: string | null;
  commitStrategyName?: string | null;
  /**
   * True: a value that has no form in the type it is for faults the activity (`WM1101`). False: it becomes the default of the
   * type, in silence. @default true for workflows in code; for others what the host says
   */
  strictConversions?: boolean;
}

/** One stored version of a workflow: the row of the definition store. */
export interface WorkflowDefinition {
  /** Version id: unique for every version of every definition. */
  id: string;
  /** Logical id, shared by all versions. */
  definitionId: string;
  version: number;
  name?: string;
  description?: string;
  createdAt: Date;
  toolVersion?: string;
  isLatest: boolean;
  isPublished: boolean;
  isReadonly: boolean;
  isSystem: boolean;
  /** `Json` (from data) or `CLR` (from a class in code). */
  materializerName: string;
  /** Name of what supplied it, for definitions that come from code. */
  providerName?: string;
  variables: VariableDefinition[];
  inputs: InputDefinition[];
  outputs: OutputDefinition[];
  outcomes: string[];
  customProperties: Record<string, unknown>;
  options: WorkflowOptions;
  root: ActivityJson;
}

/** Selects among the versions of a definition. */
export type VersionOptions =
  'Latest' | 'Published' | 'LatestOrPublished' | 'LatestAndPublished' | 'Draft' | 'AllVersions' | number;
