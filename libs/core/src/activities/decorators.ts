import type { BackoffType } from '../values/backoff.js';
import type { ActivityKind } from './activity-descriptor.js';
import { metadataOf } from './activity-metadata.js';

/** Anything that `new` can be called on, with or without a public constructor. */
// oxlint-disable-next-line typescript/no-explicit-any -- the shape that every class fits
export type Constructor<T = object> = abstract new (...args: any[]) => T;

/** How often and when a failed activity is run again. */
export interface RetryOptions {
  /** Runs in all, the first one included. */
  readonly maxAttempts: number;
  /** Wait before the second run: milliseconds, or a time span such as `5s` or `00:00:05`. @default one second */
  readonly delay?: number | string;
  /** How the wait grows from run to run. @default 'Exponential' */
  readonly backoff?: BackoffType;
  /** Longest wait. @default one hour */
  readonly maxDelay?: number | string;
  /** Names or codes of errors that are worth another run. @default all but business faults and wrong inputs */
  readonly errors?: readonly string[];
}

export interface ActivityOptions {
  /** Full wire name. @default `{namespace}.{class name}` */
  type?: string;
  /** @default 'App' */
  namespace?: string;
  /** @default 1 */
  version?: number;
  /** Heading in toolboxes. @default the namespace */
  category?: string;
  /** @default the class name split into words */
  displayName?: string;
  description?: string;
  /** @default 'Action' ('Trigger' for `@Trigger`) */
  kind?: ActivityKind;
  /** Outcome names that connections of a flowchart may leave from. @default none besides `Done` */
  outcomes?: readonly string[];
  isContainer?: boolean;
  /** Ends its container when it completes. */
  isTerminal?: boolean;
  isStart?: boolean;
  /** False: hidden in toolboxes. @default true */
  isBrowsable?: boolean;
  /**
   * Failed executions are repeated, after waits that survive restarts. A definition may say otherwise.
   * @default a failure is final
   */
  retry?: RetryOptions;
  /**
   * How long an execution may wait, from when it first does, before it fails with `ActivityTimeoutError`: milliseconds, or a
   * time span such as `2 days` or `00:05:00`. A definition may say otherwise.
   * @default no limit
   */
  timeout?: number | string;
  /** A `Task` that runs in the background unless the definition says otherwise. */
  runAsynchronously?: boolean;
  customProperties?: Readonly<Record<string, unknown>>;
}

export interface InputOptions {
  /** PascalCase name. @default the property name with a capital */
  name?: string;
  /** Type alias. @default from the TypeScript type (String, Double, Boolean, DateTimeOffset), else `Object` */
  type?: string;
  displayName?: string;
  description?: string;
  category?: string;
  uiHint?: string;
  uiSpecifications?: Readonly<Record<string, unknown>>;
  defaultValue?: unknown;
  defaultSyntax?: string;
  isWrapped?: boolean;
  autoEvaluate?: boolean;
  /** True: neither journal, log nor state has the value; it is evaluated again when the activity goes on after a wait. */
  isSensitive?: boolean;
  /**
   * True: the state has the value encrypted, and journal and log do not have it. It is as it was when the activity goes on after a
   * wait. Needs the option `encryption` of WorkflowModule.
   */
  isEncrypted?: boolean;
  /** True: a workflow in code that gives a negative constant keeps the application from starting (`WM1023`). @default false */
  isNonNegative?: boolean;
  /** True: the same of blank text, and of no value at all. @default false */
  isNonBlank?: boolean;
  isReadOnly?: boolean;
  isBrowsable?: boolean;
  isSerializable?: boolean;
  order?: number;
}

export interface OutputOptions {
  name?: string;
  type?: string;
  displayName?: string;
  description?: string;
  isBrowsable?: boolean;
  isSerializable?: boolean;
  order?: number;
}

export interface PortOptions {
  name?: string;
  displayName?: string;
  isBrowsable?: boolean;
}

/** Marks a class as an activity. The class is a provider like any other: its constructor is injected. */
export function Activity(options: ActivityOptions = {}): ClassDecorator {
  return (target) => {
    metadataOf(target as unknown as Constructor).activity = { kind: 'Action', ...options };
  };
}

/** Marks a class as an activity that can also start workflows; see `TriggerBase`. */
export function Trigger(options: ActivityOptions = {}): ClassDecorator {
  return Activity({ kind: 'Trigger', ...options });
}

/** An input: evaluated before `execute` and set on the activity. */
export function Input(options: InputOptions = {}): PropertyDecorator {
  return (target, key) => void metadataOf(target.constructor as Constructor).inputs.set(String(key), options);
}

/** An output: collected from the activity after `execute` or a callback. */
export function Output(options: OutputOptions = {}): PropertyDecorator {
  return (target, key) => void metadataOf(target.constructor as Constructor).outputs.set(String(key), options);
}

/** A single child activity (an embedded port); the property holds an `ActivityNode` or `undefined`. */
export function Port(options: PortOptions = {}): PropertyDecorator {
  return (target, key) => void metadataOf(target.constructor as Constructor).ports.set(String(key), options);
}

/** A list of child activities; the property holds `ActivityNode[]`. */
export function Children(): PropertyDecorator {
  return (target, key) => void metadataOf(target.constructor as Constructor).childLists.add(String(key));
}
