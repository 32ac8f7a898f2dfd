/**
 * How an activity runs: a `Job` always in the background, a `Task` in the background if its definition says so, the others
 * inside the burst.
 */
export const ActivityKind = { Action: 'Action', Trigger: 'Trigger', Job: 'Job', Task: 'Task' } as const;
export type ActivityKind = (typeof ActivityKind)[keyof typeof ActivityKind];

/** Describes one input. The public part is what the REST API shows in `inputs[]` of an activity descriptor. */
export interface InputDescriptor {
  /** PascalCase name; the JSON member and the class property are its camelCase form. */
  readonly name: string;
  /** Name of the class property (and JSON member). */
  readonly propertyName: string;
  /** Type alias such as `String`, `Int32`, `List<String>`. */
  readonly typeName: string;
  /** Name for people. */
  readonly displayName: string;
  /** Description in a sentence. */
  readonly description?: string;
  /** Position among the others in designers; lower numbers come first. */
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
  /** If false, a plain JSON value without an expression. */
  readonly isWrapped: boolean;
  /** If false, the activity evaluates it itself, as often as it likes. */
  readonly autoEvaluate: boolean;
  /** If true, never written to journal, state or log. */
  readonly isSensitive: boolean;
  /** If true, stored with the state, encrypted; never written to journal or log. @default false */
  readonly isEncrypted?: boolean;
  /** If true, workflows in code give no negative constant. @default false */
  readonly isNonNegative?: boolean;
  /** If true, workflows in code give it a value that is not blank. @default false */
  readonly isNonBlank?: boolean;
  /** If true, who uses it gives it a value. Only of workflows used as activities. @default false */
  readonly isRequired?: boolean;
  /** If true, a value that does not convert is an error where conversions are lenient as well; a constant prevents publishing. @default false */
  readonly isStrict?: boolean;
  /** If true, journals and states do not have it where a definition gives it no value. @default false */
  readonly isOmittedUnset?: boolean;
  /** If true, designers do not let it be changed. */
  readonly isReadOnly: boolean;
  /** Where the value is kept, for inputs of a workflow used as an activity. */
  readonly storageDriverType?: string;
  /** If false, designers hide it. */
  readonly isBrowsable: boolean;
  /** If false, journals do not show its value. */
  readonly isSerializable: boolean;
  /** True when it was made from data (inputs of a workflow used as an activity). */
  readonly isSynthetic: boolean;
}

/** Describes one output to designers and other tools. */
export interface OutputDescriptor {
  /** Name of the member. */
  readonly name: string;
  /** Name of the member in the class. */
  readonly propertyName: string;
  /** Name of the type. */
  readonly typeName: string;
  /** Name for people. */
  readonly displayName: string;
  /** Description in a sentence. */
  readonly description?: string;
  /** Position among the others in designers; lower numbers come first. */
  readonly order: number;
  /** If false, designers hide it. */
  readonly isBrowsable: boolean;
  /** If false, journals do not show its value. */
  readonly isSerializable: boolean;
  /** If true, the class has no such member; the value is written by its name. */
  readonly isSynthetic: boolean;
}

/** Describes one port to designers and other tools: a place for a child activity, or an outcome. */
export interface PortDescriptor {
  /** Name of the member. */
  readonly name: string;
  /** Name of the class property for an embedded port. */
  readonly propertyName?: string;
  /** Name for people. */
  readonly displayName: string;
  /** `Embedded`: a property that holds one child activity. `Flow`: an outcome that a connection can leave from. */
  readonly type: 'Embedded' | 'Flow';
  /** If false, designers hide it. */
  readonly isBrowsable: boolean;
}

/** Describes an activity type to designers and other tools. `GET /elsa/api/descriptors/activities` lists all of them. */
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
  /** Description in a sentence. */
  readonly description: string;
  /** How the activity runs: as an action, a trigger, a job or a task. */
  readonly kind: ActivityKind;
  /** Its inputs, in the order in which designers show them. */
  readonly inputs: readonly InputDescriptor[];
  /** Its outputs, in the order in which designers show them. */
  readonly outputs: readonly OutputDescriptor[];
  /** Its ports and outcomes. */
  readonly ports: readonly PortDescriptor[];
  /** Class properties that hold lists of child activities, e.g. `activities`, `branches`. */
  readonly childLists: readonly string[];
  /** Additional data for designers and extensions. */
  readonly customProperties: Readonly<Record<string, unknown>>;
  /** Members that a new activity of the type has in JSON. */
  readonly constructionProperties: Readonly<Record<string, unknown>>;
  /** If true, it holds a list of children. */
  readonly isContainer: boolean;
  /** If false, designers hide it. */
  readonly isBrowsable: boolean;
  /** If true, a flowchart begins with it. */
  readonly isStart: boolean;
  /** If true, nothing follows it. */
  readonly isTerminal: boolean;
  /** If true, a worker executes it outside of the burst. */
  readonly runAsynchronously: boolean;
}
