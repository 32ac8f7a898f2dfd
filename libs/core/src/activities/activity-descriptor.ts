/** How an activity runs: `Job` always in the background, `Task` only when asked to, the others inside the burst. */
export const ActivityKind = { Action: 'Action', Trigger: 'Trigger', Job: 'Job', Task: 'Task' } as const;
export type ActivityKind = (typeof ActivityKind)[keyof typeof ActivityKind];

/** Facts about one input; the public part is the REST shape of `inputs[]` of an activity descriptor. */
export interface InputDescriptor {
  /** PascalCase name; the JSON member and the class property are its camelCase form. */
  readonly name: string;
  /** Name of the class property (and JSON member). */
  readonly propertyName: string;
  /** Type alias such as `String`, `Int32`, `List<String>`. */
  readonly typeName: string;
  /** Name for people. */
  readonly displayName: string;
  /** A sentence about it. */
  readonly description?: string;
  /** Place among the others in designers; lower ones come first. */
  readonly order: number;
  /** Tab or group in designers. */
  readonly category?: string;
  /** Editor to show, e.g. `singleline`, `checkbox`, `dropdown`. */
  readonly uiHint: string;
  /** Extra data for the editor, keyed by hint. */
  readonly uiSpecifications: Readonly<Record<string, unknown>>;
  /** Applied when the input is missing or null in the definition. */
  readonly defaultValue?: unknown;
  /** Expression type that designers begin with. */
  readonly defaultSyntax?: string;
  /** False: a plain JSON value without an expression. */
  readonly isWrapped: boolean;
  /** False: the activity evaluates it itself, as often as it likes. */
  readonly autoEvaluate: boolean;
  /** True: never written to journal, state or log. */
  readonly isSensitive: boolean;
  /** True: stored with the state, encrypted; never written to journal or log. @default false */
  readonly isEncrypted?: boolean;
  /** True: workflows in code give no negative constant. @default false */
  readonly isNonNegative?: boolean;
  /** True: workflows in code give it a value that is not blank. @default false */
  readonly isNonBlank?: boolean;
  /** True: designers do not let it be changed. */
  readonly isReadOnly: boolean;
  /** Where the value is kept, for inputs of a workflow used as an activity. */
  readonly storageDriverType?: string;
  /** False: designers hide it. */
  readonly isBrowsable: boolean;
  /** False: journals do not show its value. */
  readonly isSerializable: boolean;
  /** True when it was made from data (inputs of a workflow used as an activity). */
  readonly isSynthetic: boolean;
}

/** What tools see of an output. */
export interface OutputDescriptor {
  /** Name of the member. */
  readonly name: string;
  /** Name of the member in the class. */
  readonly propertyName: string;
  /** Name of the type. */
  readonly typeName: string;
  /** Name for people. */
  readonly displayName: string;
  /** A sentence about it. */
  readonly description?: string;
  /** Place among the others in designers; lower ones come first. */
  readonly order: number;
  /** False: designers hide it. */
  readonly isBrowsable: boolean;
  /** False: journals do not show its value. */
  readonly isSerializable: boolean;
  /** True: the class has no such member; the value is written by its name. */
  readonly isSynthetic: boolean;
}

/** What tools see of a port: a place for a child, or an outcome. */
export interface PortDescriptor {
  /** Name of the member. */
  readonly name: string;
  /** Name of the class property for an embedded port. */
  readonly propertyName?: string;
  /** Name for people. */
  readonly displayName: string;
  /** `Embedded`: a property that holds one child activity. `Flow`: an outcome that a connection can leave from. */
  readonly type: 'Embedded' | 'Flow';
  /** False: designers hide it. */
  readonly isBrowsable: boolean;
}

/** What tools see of an activity type: `GET /elsa/api/descriptors/activities` lists them. */
export interface ActivityDescriptor {
  /** Wire name, `{namespace}.{name}`. */
  readonly typeName: string;
  /** First part of the type name. */
  readonly namespace?: string;
  /** Last part of the type name. */
  readonly name: string;
  /** Version of the type, from 1. */
  readonly version: number;
  /** Group under which designers list it. */
  readonly category: string;
  /** Name for people. */
  readonly displayName: string;
  /** A sentence about it. */
  readonly description: string;
  /** Whether it is an action, a trigger, a job or a task. */
  readonly kind: ActivityKind;
  /** Its inputs, in the order in which designers show them. */
  readonly inputs: readonly InputDescriptor[];
  /** Its outputs, in the order in which designers show them. */
  readonly outputs: readonly OutputDescriptor[];
  /** Its ports and outcomes. */
  readonly ports: readonly PortDescriptor[];
  /** Class properties that hold lists of child activities, e.g. `activities`, `branches`. */
  readonly childLists: readonly string[];
  /** What designers and extensions know about it. */
  readonly customProperties: Readonly<Record<string, unknown>>;
  /** Members that a new activity of the type has in JSON. */
  readonly constructionProperties: Readonly<Record<string, unknown>>;
  /** True: it holds a list of children. */
  readonly isContainer: boolean;
  /** False: designers hide it. */
  readonly isBrowsable: boolean;
  /** True: a flowchart begins with it. */
  readonly isStart: boolean;
  /** True: nothing follows it. */
  readonly isTerminal: boolean;
  /** True: a worker executes it outside of the burst. */
  readonly runAsynchronously: boolean;
}
