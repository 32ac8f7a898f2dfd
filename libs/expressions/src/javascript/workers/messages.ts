import type { MessagePort } from 'node:worker_threads';
import type { CompiledBinary } from '../sandbox/sandbox-module.js';
import type { SandboxOptions } from '../sandbox/sandbox.js';
import type { Packed } from '../transfer/pack.js';
import type { WireError } from './wire-error.js';

/** What a thread is started with. */
export interface ThreadData {
  readonly options: SandboxOptions;
  readonly globals: readonly ThreadGlobal[];
  /** Compiled once, by the main thread. */
  readonly binary: CompiledBinary;
  /** See {@link Control}. */
  readonly control: Int32Array<SharedArrayBuffer>;
  /** Where the answers to calls arrive. */
  readonly answers: MessagePort;
}

export interface ThreadGlobal {
  readonly name: string;
  /** A standard function that needs nothing but its arguments: the thread calls its own copy of it. */
  readonly isLocal: boolean;
}

/** Places in the memory that the main thread and a thread of the sandbox share. */
export const Control = {
  /** Counts the answers to calls, each of which has been sent before. */
  Answered: 0,
  /** From here on, by {@link cancelPlace}, numbers of jobs that are to end: a script in a loop hears no messages. */
  Cancelled: 1,
} as const;

/** Jobs of a thread that may be cancelled at the same time, before one forgets that of another. */
const CANCEL_PLACES = 64;

export const CONTROL_BYTES = 4 * (Control.Cancelled + CANCEL_PLACES);

export function cancelPlace(job: number): number {
  return Control.Cancelled + (job % CANCEL_PLACES);
}

/** To the thread. A job is one evaluation of one script. */
export type ThreadRequest =
  | {
      readonly kind: 'evaluate';
      readonly job: number;
      readonly source: string;
      /** Names of the functions that are given for this evaluation alone. */
      readonly functions: readonly string[] | undefined;
    }
  /** A promise of the host has come to something. */
  | { readonly kind: 'settle'; readonly job: number; readonly promise: number; readonly value: Packed }
  /** Nothing waits for the job any more. */
  | { readonly kind: 'cancel'; readonly job: number };

/** From the thread. Each `evaluate` and each `settle` is one turn, which ends as the kinds say. */
export type ThreadReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unloadable'; readonly error: WireError }
  /** The thread stands still until the answer is there. */
  | { readonly kind: 'call'; readonly job: number; readonly number: number; readonly call: string }
  /** Ends the turn of `evaluate`; the job goes on when promises of the host are settled. */
  | { readonly kind: 'waits'; readonly job: number }
  /** Ends the job, and the turn of its `evaluate` unless it has waited. */
  | { readonly kind: 'done'; readonly job: number; readonly packed: string }
  | { readonly kind: 'failed'; readonly job: number; readonly error: WireError }
  /** Ends the turn of `settle`. */
  | { readonly kind: 'settled' };

/** The answer to a call. */
export interface CallAnswer {
  /** That of the call. */
  readonly number: number;
  readonly packed: Packed;
  /** How long the host took for it, without the time until it got to it. */
  readonly hostMs: number;
  /** The evaluation has handed over more than it may. */
  readonly isTooMuch: boolean;
}
