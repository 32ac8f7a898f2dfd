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
  readonly displayName: string;
  readonly description?: string;
  readonly order: number;
  readonly category?: string;
  /** Editor to show, e.g. `singleline`, `checkbox`, `dropdown`. */
  readonly uiHint: string;
  /** Extra data for the editor, keyed by hint. */
  readonly uiSpecifications: Readonly<Record<string, unknown>>;
  /** Applied when the input is missing or null in the definition. */
  readonly defaultValue?: unknown;
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
  readonly isReadOnly: boolean;
  /** Where the value is kept, for inputs of a workflow used as an activity. */
  readonly storageDriverType?: string;
  readonly isBrowsable: boolean;
  readonly isSerializable: boolean;
  /** True when it was made from data (inputs of a workflow used as an activity). */
  readonly isSynthetic: boolean;
}

export interface OutputDescriptor {
  readonly name: string;
  readonly propertyName: string;
  readonly typeName: string;
  readonly displayName: string;
  readonly description?: string;
  readonly order: number;
  readonly isBrowsable: boolean;
  readonly isSerializable: boolean;
  readonly isSynthetic: boolean;
}

export interface PortDescriptor {
  readonly name: string;
  /** Name of the class property for an embedded port. */
  readonly propertyName?: string;
  readonly displayName: string;
  /** `Embedded`: a property that holds one child activity. `Flow`: an outcome that a connection can leave from. */
  readonly type: 'Embedded' | 'Flow';
  readonly isBrowsable: boolean;
}

export interface ActivityDescriptor {
  /** Wire name, `{namespace}.{name}`. */
  readonly typeName: string;
  readonly namespace?: string;
  readonly name: string;
  readonly version: number;
  readonly category: string;
  readonly displayName: string;
  readonly description: string;
  readonly kind: ActivityKind;
  readonly inputs: readonly InputDescriptor[];
  readonly outputs: readonly OutputDescriptor[];
  readonly ports: readonly PortDescriptor[];
  /** Class properties that hold lists of child activities, e.g. `activities`, `branches`. */
  readonly childLists: readonly string[];
  readonly customProperties: Readonly<Record<string, unknown>>;
  readonly constructionProperties: Readonly<Record<string, unknown>>;
  readonly isContainer: boolean;
  readonly isBrowsable: boolean;
  readonly isStart: boolean;
  readonly isTerminal: boolean;
  readonly runAsynchronously: boolean;
}
