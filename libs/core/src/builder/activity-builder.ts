import type { ActivityBase } from '../execution/activity-base.js';
import type { ActivityCustomProperties } from './activity-custom-properties.js';
import { RETRY_NAMES } from '../activities/check-decorator.js';
import type { RetryOptions } from '../activities/decorators.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { OptionConflictError } from '../options/option-errors.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import type { OutputTarget, VariableDeclaration } from './references.js';
import type { Value } from './value.js';
import { ACTIVITY } from './write-context.js';

/**
 * One activity of a workflow in code. Flowcharts identify an activity by this object: using the same object twice means the
 * same activity.
 */
export class ActivityBuilder {
  readonly [ACTIVITY] = true;

  /**
   * @param members JSON of the node, which may contain parts of workflows and other activities
   * @param settings settings that all activities have
   * @throws UnknownOptionError (`WM1091`) for a setting with an unknown name, OptionConflictError (`WM1092`) for two policies of retries
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
  ) {
    const owner = `Activity '${type}'`;
    refuseUnknown(owner, settings, SETTING_NAMES, { adviceOn: adviceOnSettings });
    if (settings.retry && settings.customProperties?.retryPolicy !== undefined)
      throw new OptionConflictError(owner, 'retry', 'customProperties.retryPolicy', 'give one of them.');
  }
}

/** Facts about the class of the activity. */
export interface ActivityFacts {
  readonly version?: number;
  /** Outcomes from which connections may lead on; undefined if unknown. */
  readonly outcomes?: readonly string[];
  /** Names under which the body of a loop reads the current iteration. */
  readonly loopNames?: readonly string[];
  /** Variables that a container declares for the activities inside it. */
  readonly variables?: readonly VariableDeclaration[];
}

export function isActivityBuilder(value: unknown): value is ActivityBuilder {
  return typeof value === 'object' && value !== null && ACTIVITY in value;
}

/** One activity, or several that run one after the other. */
export type Steps = ActivityBuilder | readonly ActivityBuilder[];

/** Settings that every activity has besides its own members. `A` is the class of the activity. */
export interface ActivitySettings<A = object> {
  /**
   * Id of the activity. Set it for triggers and for activities that wait for long, so that it stays the same when activities
   * are added before it.
   * @default type and number, such as `WriteLine1`
   */
  readonly id?: string | undefined;
  /** A name by which expressions find the activity's outputs. */
  readonly name?: string | undefined;
  /** Title in the designer. */
  readonly displayText?: string | undefined;
  /** Description in a sentence, shown in designers. @default none */
  readonly description?: string | undefined;
  /** Variables and workflow outputs that receive the activity's outputs. */
  readonly outputs?: ActivityOutputs<A> | undefined;
  /** If true, as a trigger, it also starts the workflow. */
  readonly canStartWorkflow?: boolean | undefined;
  /** If true, it runs in the background. For activities of kind Task. */
  readonly runAsynchronously?: boolean | undefined;
  /**
   * Time limit, counted from its first wait: a time span such as `"02:00:00"`, or milliseconds. After that it fails with
   * `WM2060`, and the work it started is cancelled. With a retry policy, each attempt has this time limit. It does not limit code that
   * runs in a burst; of an activity in the background it counts from when the work was asked for. @default no limit
   */
  readonly timeout?: string | number | undefined;
  /**
   * How often and when it is run again after a failure. It takes the place of that of its class; `{ maxAttempts: 1 }` turns that off. The
   * wait survives restarts. @default that of its class, or else a failure is final
   * @example activity(ChargeCard, { amount }, { retry: { maxAttempts: 3, delay: '5s', backoff: 'Constant' } })
   */
  readonly retry?: RetryOptions | undefined;
  /** Additional data for the engine and extensions. @default none */
  readonly customProperties?: ActivityCustomProperties | undefined;
  /** Data that designers store, such as positions. @default none */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Members that are written to the JSON unchanged, for activities with their own JSON format. */
  readonly json?: Readonly<Record<string, unknown>> | undefined;
}

const SETTING_NAMES: Readonly<Record<keyof ActivitySettings, true | { readonly members: object }>> = {
  id: true,
  name: true,
  displayText: true,
  description: true,
  outputs: true,
  canStartWorkflow: true,
  runAsynchronously: true,
  timeout: true,
  retry: { members: RETRY_NAMES },
  customProperties: true,
  metadata: true,
  json: true,
};

/**
 * Refuses mistyped settings of a function that has some of its own, which the settings of all activities do not have.
 * @throws UnknownOptionError (`WM1091`)
 */
export function requireSettings(method: string, settings: object, ...own: readonly string[]): void {
  const known = { ...SETTING_NAMES, ...Object.fromEntries(own.map((name) => [name, true])) };
  refuseUnknown(method, settings, known, { adviceOn: adviceOnSettings });
}

/** Definitions have it under another name. */
const adviceOnSettings = (name: string): string | undefined =>
  name === 'retryPolicy' ? 'Write retry: { … }.' : undefined;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** Members of the base classes, which workflows do not give: completions would begin with them. */
type Inherited<A> = keyof ActivityBase | (A extends { define(): Steps } ? 'root' : never);

type Own<A> = Exclude<keyof A, Inherited<A>>;

/** The kind of a member, derived from its type: the compiler cannot see decorators. */
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

/** True for `unknown`, and for members declared with `?`. */
type MayBeMissing<T> = IsAny<T> extends true ? true : undefined extends T ? true : null extends T ? true : false;

/** An object with methods is more likely an injected service than data. */
type IsData<T> = T extends string | number | boolean | bigint | Date | Uint8Array | readonly unknown[]
  ? true
  : { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? true : never }[keyof T] extends never
    ? true
    : false;

/** True for an input that is never null or undefined, and so must be given. Outputs are declared with `?`. */
type IsRequired<T> =
  KindOf<T> extends 'value' ? (MayBeMissing<T> extends true ? false : IsData<T> extends true ? true : false) : false;

/**
 * Inputs, ports and lists of children of an activity class: its public properties except methods. A property whose type allows
 * neither null nor undefined is required: `@Input() requestId!: string`, unlike `@Input() days?: number | null`.
 */
export type ActivityMembers<A> = {
  readonly [K in Own<A> as IsRequired<A[K]> extends true ? K : never]: MemberValue<A[K]>;
} & {
  readonly [
    K in Own<A> as KindOf<A[K]> extends 'method' ? never : IsRequired<A[K]> extends true ? never : K
  ]?: MemberValue<A[K]>;
};

/** The members and settings of an activity. The members may be left out if none is required. */
export type ActivityArguments<A> =
  // oxlint-disable-next-line typescript/no-empty-object-type -- whether nothing would do
  {} extends ActivityMembers<A>
    ? [members?: ActivityMembers<A>, settings?: ActivitySettings<A>]
    : [members: ActivityMembers<A>, settings?: ActivitySettings<A>];

/** The targets that accept the values of an output. An output of type `unknown` may go to any target. */
type OutputTargetOf<T> = unknown extends T ? OutputTarget<never> : OutputTarget<NonNullable<T>>;

/** Outputs of an activity class that a workflow can bind. */
export type ActivityOutputs<A> = {
  readonly [K in Own<A> as KindOf<A[K]> extends 'value' ? K : never]?: OutputTargetOf<A[K]>;
};
