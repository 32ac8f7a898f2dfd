import type { BackoffType } from '../values/backoff.js';
import type { ActivityKind } from './activity-descriptor.js';
import { metadataOf } from './activity-metadata.js';
import { checkActivityOptions, checkMemberOptions } from './check-decorator.js';

/** A class, with or without a public constructor. */
// oxlint-disable-next-line typescript/no-explicit-any -- the shape that every class fits
export type Constructor<T = object> = abstract new (...args: any[]) => T;

/** How often and when a failed activity is retried. */
export interface RetryOptions {
  /** Number of runs in total, including the first. */
  readonly maxAttempts: number;
  /** Wait before the second run, in milliseconds, or a time span such as `5s` or `00:00:05`. @default one second */
  readonly delay?: number | string | undefined;
  /** How the wait grows from run to run. @default 'Exponential' */
  readonly backoff?: BackoffType | undefined;
  /** Longest wait. @default one hour */
  readonly maxDelay?: number | string | undefined;
  /** Codes and names of errors that are retried, as in catches of a `Try`. @default all except business faults and invalid inputs */
  readonly errors?: readonly string[] | undefined;
}

/** Options of `@Activity` and `@Trigger`. All of them have defaults. */
export interface ActivityOptions {
  /** Full wire name. @default `{namespace}.{class name}` */
  type?: string | undefined;
  /** First part of the type name. @default 'App' */
  namespace?: string | undefined;
  /** Version of the activity type. @default 1 */
  version?: number | undefined;
  /** Heading in toolboxes. @default the namespace */
  category?: string | undefined;
  /** Name for people. @default the class name split into words */
  displayName?: string | undefined;
  /** Description in a sentence, shown in designers. @default none */
  description?: string | undefined;
  /** How the activity runs: as an action, a trigger, a job or a task. @default 'Action' ('Trigger' for `@Trigger`) */
  kind?: ActivityKind | undefined;
  /** Outcome names that connections of a flowchart may leave from. @default none besides `Done` */
  outcomes?: readonly string[] | undefined;
  /** If true, it holds a list of children. @default false */
  isContainer?: boolean | undefined;
  /** If true, its container ends when it completes. @default false */
  isTerminal?: boolean | undefined;
  /** If true, a flowchart begins with it. @default false */
  isStart?: boolean | undefined;
  /** If false, hidden in toolboxes. @default true */
  isBrowsable?: boolean | undefined;
  /**
   * Retries failed executions, after waits that survive restarts. A definition may override it.
   * @default a failure is final
   */
  retry?: RetryOptions | undefined;
  /**
   * How long an execution may wait before it fails with `ActivityTimeoutError`, counted from its first wait: milliseconds, or a
   * time span such as `2 days` or `00:05:00`. A definition may override it. It does not limit code that runs in a burst, such as a
   * call that hangs: pass `AbortSignal.any([ctx.signal, AbortSignal.timeout(ms)])` to it. Of an activity in the background it counts from
   * when the work was asked for, and aborts `ctx.signal`.
   * @default no limit
   */
  timeout?: number | string | undefined;
  /** If true, a `Task` that runs in the background, unless its definition overrides that. @default false */
  runAsynchronously?: boolean | undefined;
  /** Additional data for designers and extensions. @default none */
  customProperties?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of `@Input`. All of them have defaults. */
export interface InputOptions {
  /** PascalCase name. @default the property name with a capital */
  name?: string | undefined;
  /** Type alias. @default from the TypeScript type (String, Double, Boolean, DateTimeOffset), else `Object` */
  type?: string | undefined;
  /** Name for people. @default the name of the member, in words */
  displayName?: string | undefined;
  /** Description in a sentence, shown in designers. @default none */
  description?: string | undefined;
  /** Tab or group in designers. @default none */
  category?: string | undefined;
  /** The editor that designers show, such as `singleline` or `dropdown`. @default depends on the type */
  uiHint?: string | undefined;
  /** Settings of that editor, such as the items of a list. @default none */
  uiSpecifications?: Readonly<Record<string, unknown>> | undefined;
  /** Value used when a definition gives none. @default none */
  defaultValue?: unknown;
  /** Expression type that designers begin with. @default `Literal` */
  defaultSyntax?: string | undefined;
  /** If false, the JSON holds the value itself and not an expression. @default true */
  isWrapped?: boolean | undefined;
  /** If false, the activity evaluates the expression itself. @default true */
  autoEvaluate?: boolean | undefined;
  /**
   * If true, the value is not in the journal, the log or the state; it is evaluated again when the activity continues after a
   * wait. @default false
   */
  isSensitive?: boolean | undefined;
  /**
   * If true, the state has the value encrypted; journal and log do not have it. It keeps its value when the activity continues
   * after a wait. Needs the option `encryption` of WorkflowModule. @default false
   */
  isEncrypted?: boolean | undefined;
  /** If true, a negative constant in a workflow in code prevents the application from starting (`WM1023`). @default false */
  isNonNegative?: boolean | undefined;
  /**
   * If true, a blank or missing constant in a workflow in code prevents the application from starting (`WM1023`). @default
   * false
   */
  isNonBlank?: boolean | undefined;
  /**
   * If true, a value that does not convert is an error where conversions are lenient as well: a constant prevents publishing (`WM1023`),
   * an expression faults (`WM1101`). For what protects something: the default of its type would be no protection. @default false
   */
  isStrict?: boolean | undefined;
  /**
   * If true, journals and states do not have the input where a definition gives it no value, which makes their rows smaller. @default
   * false: they show null
   */
  isOmittedUnset?: boolean | undefined;
  /** If true, designers do not let it be changed. @default false */
  isReadOnly?: boolean | undefined;
  /** If false, designers hide it. @default true */
  isBrowsable?: boolean | undefined;
  /** If false, journals do not show its value. @default true */
  isSerializable?: boolean | undefined;
  /** Position among the inputs in designers; lower first. @default 0 */
  order?: number | undefined;
}

/** Options of `@Output`. All of them have defaults. */
export interface OutputOptions {
  /** Name in JSON. @default the name of the member */
  name?: string | undefined;
  /** Type name in JSON. @default `Object` */
  type?: string | undefined;
  /** Name for people. @default the name of the member, in words */
  displayName?: string | undefined;
  /** Description in a sentence, shown in designers. @default none */
  description?: string | undefined;
  /** If false, designers hide it. @default true */
  isBrowsable?: boolean | undefined;
  /** If false, journals do not show its value. @default true */
  isSerializable?: boolean | undefined;
  /** Position among the outputs in designers; lower first. @default 0 */
  order?: number | undefined;
}

/** Options of `@Port`. All of them have defaults. */
export interface PortOptions {
  /** Name in JSON. @default the name of the member */
  name?: string | undefined;
  /** Name for people. @default the name of the member, in words */
  displayName?: string | undefined;
  /** If false, designers hide it. @default true */
  isBrowsable?: boolean | undefined;
}

/**
 * Marks a class as an activity. The class is a provider like any other: its constructor is injected. It needs a method `execute`.
 * @param options its type, description and outcomes
 * @throws UnknownOptionError (`WM1091`) and InvalidOptionError (`WM1090`) when the class is loaded; ActivityClassError (`WM1044`)
 *   and RetryOptionsError (`WM1040`) when the application starts, for an invalid class
 * @example
 * @Activity({ category: 'Shop', outcomes: ['Paid', 'Refused'] })
 * export class Pay extends ActivityBase { … }
 */
export function Activity(options: ActivityOptions = {}): ClassDecorator {
  return (target) => {
    checkActivityOptions('Activity', target, options);
    metadataOf(target as unknown as Constructor).activity = { kind: 'Action', ...options };
  };
}

/**
 * Marks a class as an activity that can also start workflows; see `TriggerBase`. It also needs a method `getTriggerPayloads`.
 * @throws as `@Activity()`; ActivityClassError (`WM1044`) also without these methods
 * @example
 * @Trigger({ type: 'Files.Changed', category: 'Files' })
 * export class FileChanged extends TriggerBase {
 *   @Input() path!: string;
 *   getTriggerPayloads() {
 *     return [{ path: this.path }];
 *   }
 *   execute(ctx: ActivityExecutionContext) {
 *     return ctx.isTriggerOfWorkflow() ? ctx.complete() : ctx.createBookmark({ stimulus: { path: this.path } });
 *   }
 * }
 */
export function Trigger(options: ActivityOptions = {}): ClassDecorator {
  return (target) => {
    checkActivityOptions('Trigger', target, options);
    metadataOf(target as unknown as Constructor).activity = { kind: 'Trigger', ...options };
  };
}

/**
 * Declares an input. It is evaluated and assigned to the property before `execute` runs; class-validator decorators on the same
 * property are checked then.
 * @param options the type, if the TypeScript type is not precise enough, and how designers show the input
 * @throws UnknownOptionError (`WM1091`) and InvalidOptionError (`WM1090`) when the class is loaded; MemberNameTakenError (`WM1030`)
 *   when the application starts, for the names `id`, `type` and others of definitions
 * @example
 * @Input({ type: 'Int32', description: 'How many pieces.' })
 * @IsPositive()
 * count!: number;
 */
export function Input(options: InputOptions = {}): PropertyDecorator {
  return (target, key) => {
    checkMemberOptions('Input', target, key, options);
    metadataOf(target.constructor as Constructor).inputs.set(String(key), options);
  };
}

/**
 * Declares an output. Its value is read from the property after `execute` or a callback.
 * @throws as `@Input()`
 * @example
 * @Output({ description: 'In cents.' })
 * total?: number;
 */
export function Output(options: OutputOptions = {}): PropertyDecorator {
  return (target, key) => {
    checkMemberOptions('Output', target, key, options);
    metadataOf(target.constructor as Constructor).outputs.set(String(key), options);
  };
}

/**
 * Declares an embedded port: a single child activity. The property holds an `ActivityNode` or `undefined`.
 * @throws as `@Input()`
 * @example
 * @Port() body: ActivityNode | undefined;
 *
 * execute(ctx: ActivityExecutionContext) {
 *   return ctx.schedule(this.body, { callback: this.onBodyDone });
 * }
 */
export function Port(options: PortOptions = {}): PropertyDecorator {
  return (target, key) => {
    checkMemberOptions('Port', target, key, options);
    metadataOf(target.constructor as Constructor).ports.set(String(key), options);
  };
}

/** Declares a list of child activities. The property holds an `ActivityNode[]`. */
export function Children(): PropertyDecorator {
  return (target, key) => void metadataOf(target.constructor as Constructor).childLists.add(String(key));
}
