import type { Expression } from '../expressions/expression.js';

/** JSON of one activity: `type`, `id`, inputs, outputs, child activities. Members besides these are kept as they are. */
export interface ActivityJson {
  /** Type name, such as `Elsa.WriteLine`. */
  type: string;
  /** Id within its definition. */
  id?: string;
  /** The ids of its ancestors and its own, joined by `:`. Written by the engine. */
  nodeId?: string;
  /** Name by which expressions find its outputs. @default none */
  name?: string | null;
  /** Version of the activity type. @default the highest that is registered */
  version?: number;
  /** What the engine and extensions read, such as `retryPolicy`. @default none */
  customProperties?: Record<string, unknown>;
  /** Data that designers store, such as positions. @default none */
  metadata?: Record<string, unknown>;
  [member: string]: unknown;
}

/** An input as it stands in JSON. `memoryReference` is only written for synthetic inputs. */
export interface InputJson {
  /** Type that the value is converted to. @default that of the input */
  typeName: string | null;
  /** What gives the value. @default none */
  expression: Expression | null;
  /** The variable or output that it is read from. @default none */
  memoryReference?: { id: string } | null;
}

/** Target of an output: the variable with that id, or the workflow output with that name. */
export interface OutputJson {
  /** Type of the value. @default that of the output */
  typeName?: string | null;
  /** The variable or workflow output that it is written to. */
  memoryReference: { id: string };
  /** Kept as it is given; not used. */
  converter?: { id: string; settings?: Record<string, unknown> } | null;
}

/** A variable of a definition or container. `value` is the default in string form (JSON text for objects and arrays). */
export interface VariableDefinition {
  /** Id within its definition. */
  id: string;
  /** Name by which expressions find it. */
  name: string;
  /** Type name, such as `String`. */
  typeName: string;
  /** If true, a list of that type. */
  isArray: boolean;
  /** Its first value. @default none */
  value?: unknown;
  /** Alias of a storage driver; null: the value lives only as long as a burst. */
  storageDriverTypeName?: string | null;
}

/** An input that a workflow declares. */
export interface InputDefinition {
  /** Type name, such as `String`. */
  type: string;
  /** Name by which callers set it and expressions read it. */
  name: string;
  /** Name for people. */
  displayName?: string;
  /** Description in a sentence. */
  description?: string;
  /** Group in designers. */
  category?: string;
  /** If true, a list of that type. */
  isArray: boolean;
  /** Which editor designers show. */
  uiHint?: string;
  /** How its value is kept between bursts; null: with the state. */
  storageDriverType?: string | null;
  /** Value used when a start gives none. */
  defaultValue?: unknown;
  /** If true, it is not started without this input, unless `strictConversions` is false, or a trigger starts it. */
  isRequired?: boolean;
}

/** An output that a workflow declares. */
export interface OutputDefinition {
  /** Type name, such as `String`. */
  type: string;
  /** Name by which the workflow sets it and callers read it. */
  name: string;
  /** Name for people. */
  displayName?: string;
  /** Description in a sentence. */
  description?: string;
  /** Group in designers. */
  category?: string;
  /** If true, a list of that type. */
  isArray: boolean;
}

/** How instances of a definition start, run and fail. */
export interface WorkflowOptions {
  /** Any spelling of `AllowAlways`, `Singleton`, `CorrelatedSingleton`, `Correlation` (matched on the class name). */
  activationStrategyType?: string | null;
  /** If true, other workflows may use it as an activity. @default false */
  usableAsActivity?: boolean | null;
  /** If true, workflows that use it are moved to each version that is published. @default false */
  autoUpdateConsumingWorkflows?: boolean;
  /** Group under which designers list it as an activity. @default none */
  activityCategory?: string | null;
  /** Any spelling of `FaultStrategy` or `ContinueWithIncidentsStrategy`. */
  incidentStrategyType?: string | null;
  /** Name of the commit strategy. @default that of the option `commitStrategies` */
  commitStrategyName?: string | null;
  /**
   * If true, a value that has no form in the type it is for faults the activity (`WM1101`). If false, it becomes the default of the
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
  /** Number of the version, from 1. */
  version: number;
  /** Name for people. */
  name?: string;
  /** What it is for. */
  description?: string;
  /** When the version was first stored. */
  createdAt: Date;
  /** Version of the tool that wrote it, as the definition says. */
  toolVersion?: string;
  /** If true, it has the highest version number. */
  isLatest: boolean;
  /** If true, this is the version that new instances use. At most one version is published. */
  isPublished: boolean;
  /** If true, it comes from code and is not changed over the API. */
  isReadonly: boolean;
  /** If true, lists leave it out unless asked. */
  isSystem: boolean;
  /** `Json` (from data) or `CLR` (from a class in code). */
  materializerName: string;
  /** Name of what supplied it, for definitions that come from code. */
  providerName?: string;
  /** Variables of the whole workflow. */
  variables: VariableDefinition[];
  /** Declared inputs. */
  inputs: InputDefinition[];
  /** Declared outputs. */
  outputs: OutputDefinition[];
  /** Its outcomes when it is used as an activity. */
  outcomes: string[];
  /** Data that the application and extensions store with it. */
  customProperties: Record<string, unknown>;
  /** How instances start, run and fail. */
  options: WorkflowOptions;
  /** The activity that an instance begins with. */
  root: ActivityJson;
}

/** Selects among the versions of a definition. */
export type VersionOptions =
  | 'Latest'
  | 'Published'
  | 'LatestOrPublished'
  | 'LatestAndPublished'
  | 'Draft'
  | 'AllVersions'
  | number;
