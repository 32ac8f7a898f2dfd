import type { ActivityNode } from '../graph/activity-node.js';
import type { OutputTarget, VariableDeclaration } from './references.js';
import type { Value } from './value.js';
import { ACTIVITY } from './write-context.js';

/** One activity of a workflow in code. The same object is the same activity: flowcharts tell activities apart by it. */
export class ActivityBuilder {
  readonly [ACTIVITY] = true;

  /**
   * @param members JSON of the node, except that parts and other activities may stand in it
   * @param settings what is the same for all activities
   */
  constructor(
    /** Type name of the activity. */
    readonly type: string,
    /** Its inputs, outputs and ports, as they were given. */
    readonly members: Readonly<Record<string, unknown>>,
    /** Its id, name and the like. */
    readonly settings: ActivitySettings = {},
    /** What the builder knows about its class. */
    readonly facts: ActivityFacts = {},
  ) {}
}

/** What is known of the activity's class. */
export interface ActivityFacts {
  readonly version?: number;
  /** Outcomes that connections may leave from; undefined: not known. */
  readonly outcomes?: readonly string[];
  /** Names under which a loop tells its body where it is. */
  readonly loopNames?: readonly string[];
  /** Variables that a container declares for what is inside it. */
  readonly variables?: readonly VariableDeclaration[];
}

export function isActivityBuilder(value: unknown): value is ActivityBuilder {
  return typeof value === 'object' && value !== null && ACTIVITY in value;
}

/** One activity, or several that run one after the other. */
export type Steps = ActivityBuilder | readonly ActivityBuilder[];

/** What every activity may be given besides its own members. `A` is the activity's class. */
export interface ActivitySettings<A = object> {
  /**
   * Give one to triggers and to what is long waited for: it stays the same when activities are added before it.
   * @default type and number, such as `WriteLine1`
   */
  readonly id?: string;
  /** A name by which expressions find the activity's outputs. */
  readonly name?: string;
  /** Title in the designer. */
  readonly displayText?: string;
  /** A sentence about it, for designers. @default none */
  readonly description?: string;
  /** Variables and workflow outputs that receive the activity's outputs. */
  readonly outputs?: ActivityOutputs<A>;
  /** True: as a trigger, it also starts the workflow. */
  readonly canStartWorkflow?: boolean;
  /** True: it runs in the background. For activities of kind Task. */
  readonly runAsynchronously?: boolean;
  /**
   * How long it may take, from when it first waits: a time span such as `"02:00:00"`, or milliseconds. Then it fails with
   * `WM2060`, and what it had begun is cancelled. With a retry policy, each attempt has that long. @default no limit
   */
  readonly timeout?: string | number;
  /** What the engine and extensions read. @default none */
  readonly customProperties?: Readonly<Record<string, unknown>>;
  /** What designers keep, such as positions. @default none */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Members written as they are, for activities with JSON of their own. */
  readonly json?: Readonly<Record<string, unknown>>;
}

type IsAny<T> = 0 extends 1 & T ? true : false;

/** Decorators are invisible to the compiler: what a member is follows from its type. */
type KindOf<T> =
  IsAny<T> extends true
    ? 'value'
    : [NonNullable<T>] extends [never]
      ? 'value'
      : NonNullable<T> extends (...args: never[]) => unknown
        ? 'method'
        : NonNullable<T> extends ActivityNode
          ? 'port'
          : NonNullable<T> extends readonly ActivityNode[]
            ? 'children'
            : 'value';

type MemberValue<T> =
  KindOf<T> extends 'port' ? Steps | null : KindOf<T> extends 'children' ? readonly ActivityBuilder[] : Value<T>;

/** `unknown` may be undefined, and so may what is declared with `?`. */
type MayBeMissing<T> = IsAny<T> extends true ? true : undefined extends T ? true : null extends T ? true : false;

/** An object with methods is more likely an injected service than data. */
type IsData<T> = T extends string | number | boolean | bigint | Date | Uint8Array | readonly unknown[]
  ? true
  : { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? true : never }[keyof T] extends never
    ? true
    : false;

/** An input that is never null or undefined must be given; outputs, which no caller gives, are declared with `?`. */
type IsRequired<T> =
  KindOf<T> extends 'value' ? (MayBeMissing<T> extends true ? false : IsData<T> extends true ? true : false) : false;

/**
 * Inputs, ports and lists of children of an activity class: its public properties that are no methods. Required is what is
 * declared as a value that is always there: `@Input() requestId!: string`, unlike `@Input() days?: number | null`.
 */
export type ActivityMembers<A> = {
  readonly [K in keyof A as IsRequired<A[K]> extends true ? K : never]: MemberValue<A[K]>;
} & {
  readonly [
    K in keyof A as KindOf<A[K]> extends 'method' ? never : IsRequired<A[K]> extends true ? never : K
  ]?: MemberValue<A[K]>;
};

/** Members may be left out where none is required. */
export type ActivityArguments<A> =
  // oxlint-disable-next-line typescript/no-empty-object-type -- whether nothing would do
  {} extends ActivityMembers<A>
    ? [members?: ActivityMembers<A>, settings?: ActivitySettings<A>]
    : [members: ActivityMembers<A>, settings?: ActivitySettings<A>];

/** A target must take what the output gives; an output of unknown type goes anywhere. */
type OutputTargetOf<T> = unknown extends T ? OutputTarget<never> : OutputTarget<NonNullable<T>>;

/** Outputs of an activity class that a workflow can bind. */
export type ActivityOutputs<A> = {
  readonly [K in keyof A as KindOf<A[K]> extends 'value' ? K : never]?: OutputTargetOf<A[K]>;
};
