import { availableParallelism } from 'node:os';
import type { Clock, SecretLookup } from '@waymark/core';
import { checkOptions, type OptionKinds, optionKinds as is } from '@waymark/core/adapter';
import { ExpressionOptionError } from '../errors/expression-errors.js';
import type { JavaScriptGlobal } from './globals/javascript-global.js';

/** Option `javascript` of `WorkflowModule`: limits of JavaScript expressions, and functions that they may call. */
export interface JavaScriptOptions {
  /**
   * How long one evaluation may take, from start to result, in milliseconds, including the time in which it waits for the host.
   * @default 1000
   */
  timeoutMs?: number | undefined;
  /**
   * How long a script may block the process without a pause, in milliseconds. On a machine that is
   * busy with other things it may take up to four times as long, but never more than `timeoutMs`.
   * @default `timeoutMs` where that is given or the sandbox is in `worker` threads, otherwise 200
   */
  blockingMs?: number | undefined;
  /**
   * Maximum length of a script in characters.
   * @default 1000000
   */
  maxScriptLength?: number | undefined;
  /**
   * Maximum length of the result of a script, in characters: of its JSON for objects, and one character for each byte.
   * @default 10000000
   */
  maxResultLength?: number | undefined;
  /**
   * Maximum number of values in the result of a script, and in what it passes to a function of the host: members, items, and the lists and
   * objects that hold them.
   * @default 1000000
   */
  maxResultValues?: number | undefined;
  /**
   * Memory of the whole sandbox, in megabytes, 24 to 1024. Scripts end at five eighths of it: the rest is a
   * reserve, without which a script that fills the memory could damage the sandbox of others.
   * @default 32
   */
  memoryMb?: number | undefined;
  /**
   * Call stack of a script, in kilobytes, 16 to 256; a call takes about 200 bytes. More would overflow the stack of the
   * host before that of the sandbox.
   * @default 128
   */
  stackKb?: number | undefined;
  /**
   * Compiled scripts that are kept, counted by different texts; fewer where these have more than ten million characters in all.
   * @default 1000
   */
  cacheSize?: number | undefined;
  /**
   * Evaluates every script in the sandbox, also those that only read and compute, which cost a hundredth without it. The
   * results are the same.
   * @default false
   */
  sandboxOnly?: boolean | undefined;
  /**
   * Where the sandbox runs scripts that need it. `inline`: in the thread that asks, so that nothing else runs meanwhile.
   * `worker`: in threads of their own, so that a script which computes for long does not hold up other requests; each
   * evaluation is a promise then, and costs five to eight times as much. The results are the same.
   * @default 'inline'
   */
  sandbox?: 'inline' | 'worker' | undefined;
  /**
   * Threads at most, 1 to 64; each has a sandbox with memory of its own. They are started when they are needed.
   * @default one less than the processors, 2 to 8
   */
  workers?: number | undefined;
  /**
   * Scripts that may wait until a thread is free, 1 to 1000000; what they wait there is no part of `timeoutMs`.
   * @default 10000
   */
  maxWaiting?: number | undefined;
  /** Functions that scripts may call besides those of the format. One of the same name replaces a standard one. @default none */
  globals?: readonly JavaScriptGlobal[] | undefined;
  /** Gives `secret('name')` in scripts its values. @default none, and scripts have no such function */
  secrets?: SecretLookup | undefined;
  /**
   * The clock of scripts. Time limits use real time whatever this is.
   * @default the time of the machine
   */
  clock?: Clock | undefined;
}

export interface ResolvedJavaScriptOptions {
  readonly timeoutMs: number;
  readonly blockingMs: number;
  readonly maxScriptLength: number;
  readonly maxResultLength: number;
  readonly maxResultValues: number;
  readonly memoryMb: number;
  readonly stackKb: number;
  readonly cacheSize: number;
  readonly sandboxOnly: boolean;
  readonly sandbox: 'inline' | 'worker';
  readonly workers: number;
  readonly maxWaiting: number;
  readonly globals: readonly JavaScriptGlobal[];
  readonly secrets: SecretLookup | undefined;
  readonly clock: Clock | undefined;
}

/** What the options take. */
export const JAVASCRIPT_OPTION_KINDS: OptionKinds<JavaScriptOptions> = {
  timeoutMs: is.wholeFrom(1, 600_000),
  blockingMs: is.wholeFrom(1, 600_000),
  maxScriptLength: is.wholeFrom(1, 100_000_000),
  maxResultLength: is.wholeFrom(1, 500_000_000),
  maxResultValues: is.wholeFrom(1, 100_000_000),
  memoryMb: is.wholeFrom(24, 1024),
  stackKb: is.wholeFrom(16, 256),
  cacheSize: is.wholeFrom(1, 100_000),
  sandboxOnly: is.flag,
  sandbox: is.oneOf('inline', 'worker'),
  workers: is.wholeFrom(1, 64),
  maxWaiting: is.wholeFrom(1, 1_000_000),
  globals: is.listOf(is.withMethods<JavaScriptGlobal>('a JavaScriptGlobal', 'invoke')),
  secrets: is.withMethods<SecretLookup>('a SecretLookup', 'find'),
  clock: is.withMethods<Clock>('a clock', 'now'),
};

const refuse = (option: string, requirement: string, given: string) =>
  new ExpressionOptionError(option.replace('javascript.', ''), requirement, given);

/** @throws ExpressionOptionError (`WM4006`) for a value that the sandbox cannot work with, UnknownOptionError (`WM1091`) */
export function resolveJavaScriptOptions(given: JavaScriptOptions): ResolvedJavaScriptOptions {
  const options = checkOptions(
    { name: 'WorkflowModule', option: 'javascript', refuse },
    given,
    JAVASCRIPT_OPTION_KINDS,
  );
  const sandbox = options.sandbox ?? 'inline';
  const timeoutMs = options.timeoutMs ?? 1000;
  const blockingMs = options.blockingMs ?? (sandbox === 'worker' ? timeoutMs : (options.timeoutMs ?? 200));
  return {
    timeoutMs,
    blockingMs,
    maxScriptLength: options.maxScriptLength ?? 1_000_000,
    maxResultLength: options.maxResultLength ?? 10_000_000,
    maxResultValues: options.maxResultValues ?? 1_000_000,
    memoryMb: options.memoryMb ?? 32,
    stackKb: options.stackKb ?? 128,
    cacheSize: options.cacheSize ?? 1000,
    sandboxOnly: options.sandboxOnly ?? false,
    sandbox,
    workers: options.workers ?? Math.max(2, Math.min(8, availableParallelism() - 1)),
    maxWaiting: options.maxWaiting ?? 10_000,
    globals: options.globals ?? [],
    secrets: options.secrets,
    clock: options.clock,
  };
}
