import { isWaymarkError, WaymarkError } from '@waymark/core';
import type { Firing } from './burst-commit.js';

/** Thrown when another commit came first. Load the instance or definition again, and repeat the change. */
export class ConcurrencyConflictError extends WaymarkError {
  readonly code = 'WM7001';
  constructor(
    /** What was changed concurrently. */
    readonly subject: 'instance' | 'definition' | 'schedule' | 'trigger',
    /** Its id. */
    readonly id: string,
  ) {
    super(`The ${subject} "${id}" was concurrently modified. Load it again and repeat the change.`);
  }
}

/** Thrown when another burst has consumed the bookmark that this burst used (W2). */
export class BookmarkConsumedError extends WaymarkError {
  readonly code = 'WM7002';
  constructor(
    /** The bookmark. */
    readonly bookmarkId: string,
    /** The instance that had it. */
    readonly workflowInstanceId: string,
  ) {
    super(
      `Bookmark "${bookmarkId}" of workflow instance "${workflowInstanceId}" was already consumed. ` +
        'Another request resumed it first; nothing was changed by this one.',
    );
  }
}

/** Thrown when another node has fired this occurrence of a trigger or schedule (W4). */
export class OccurrenceClaimedError extends WaymarkError {
  readonly code = 'WM7003';
  /** When the occurrence was due. */
  readonly dueAt: Date;
  /** Id of the trigger; undefined for a schedule of the application. */
  readonly triggerId: string | undefined;
  /** Id of the schedule of the application; undefined for a trigger. */
  readonly scheduleId: string | undefined;

  constructor(firing: Firing) {
    const { dueAt } = firing;
    const of = 'triggerId' in firing ? `trigger "${firing.triggerId}"` : `schedule "${firing.id}"`;
    super(`The occurrence ${dueAt.toISOString()} of ${of} was already fired by another node.`);
    this.dueAt = dueAt;
    this.triggerId = 'triggerId' in firing ? firing.triggerId : undefined;
    this.scheduleId = 'triggerId' in firing ? undefined : firing.id;
  }
}

/** Thrown when another node has served the message or queue item. */
export class MessageConsumedError extends WaymarkError {
  readonly code = 'WM7004';
  constructor(
    /** The message or queue item. */
    readonly messageId: string,
  ) {
    super(`Message "${messageId}" was already processed by another node.`);
  }
}

/** A repair of an instance that another one is in the way of. */
export interface RefusedRepair {
  /** Id of the running instance that is in the way; undefined: it has ended since. */
  readonly holder: string | undefined;
  /** Id of the instance that was to run again. */
  readonly repaired: string;
}

/**
 * Thrown when the activation strategy of the definition, or the overlap policy of a trigger or schedule, does not allow another running
 * instance: neither a new one, nor a finished one that a repair lets run again.
 */
export class ActivationRefusedError extends WaymarkError {
  readonly code = 'WM7005';
  constructor(
    /** What the running instance and the new one have in common. */
    readonly activationKey: string,
    /** Of a repair: which instances. @default it is a start */
    readonly repair?: RefusedRepair,
  ) {
    super(
      repair
        ? `Workflow instance "${repair.repaired}" cannot run again while ${repair.holder === undefined ? 'another one' : `"${repair.holder}"`} ` +
            `runs, which holds "${activationKey}". Wait until that one finishes, or cancel it, then repeat the repair.`
        : `A running workflow instance holds "${activationKey}". Wait until it finishes, or cancel it, then start again.`,
    );
  }
}

/** Thrown when another definition has the same exclusive trigger, such as an HTTP method of one path. */
export class ExclusiveTriggerError extends WaymarkError {
  readonly code = 'WM7006';
  constructor(
    /** What only one definition may have, such as a route. */
    readonly exclusiveKey: string,
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
    /** The definition that has it. */
    readonly heldByDefinitionId: string,
  ) {
    super(
      `The trigger "${exclusiveKey}" of workflow definition "${definitionId}" is already used by ` +
        `"${heldByDefinitionId}". Change one of the two, or retract the other definition first.`,
    );
  }
}

/** Thrown when an instance was already started with this request key. */
export class RequestKeyUsedError extends WaymarkError {
  readonly code = 'WM7007';
  constructor(
    /** The key. */
    readonly requestKey: string,
    /** The instance that it started. */
    readonly workflowInstanceId: string,
  ) {
    super(
      `Request key "${requestKey}" already started workflow instance "${workflowInstanceId}". Use that instance, or another key.`,
    );
  }
}

/** Thrown for a filter without any condition, which would select everything. */
export class EmptyFilterError extends WaymarkError {
  readonly code = 'WM7008';
  constructor(
    /** Which rows it would have selected. */
    readonly store: string,
  ) {
    super(`A ${store} filter needs at least one condition: an empty one would select everything.`);
  }
}

/** Thrown when the store gave an invalid answer. It ends the burst in which it is thrown. */
export class PersistenceError extends WaymarkError {
  readonly code = 'WM7009';
  /** If true, the burst in which it is thrown is repeated, and nothing of it is stored. */
  readonly endsBurst = true;
}

/**
 * Thrown when the store cannot be reached, does not answer in time, or temporarily refuses all work. Nothing was written; the
 * same call can be repeated once the store is available. It is not caused by the arguments of the call.
 */
export class StoreUnavailableError extends WaymarkError {
  readonly code = 'WM7014';
  /** If true, the burst in which it is thrown is repeated, and nothing of it is stored. */
  readonly endsBurst = true;
  /** If true, the store answers other calls: it ended this one, which took too long. */
  readonly isOfCall: boolean;

  constructor(message: string, { isOfCall = false, ...options }: ErrorOptions & { readonly isOfCall?: boolean } = {}) {
    super(message, options);
    this.isOfCall = isOfCall;
  }
}

/**
 * Thrown when the connection was lost during the commit of a transaction, so that it is unknown whether it was stored, or after a part of
 * a change was stored. Load the written rows to find out.
 */
export class CommitOutcomeUnknownError extends WaymarkError {
  readonly code = 'WM7015';
  /** If true, the burst in which it is thrown is repeated, and nothing of it is stored. */
  readonly endsBurst = true;
  /** If true, the store answers other calls: it ended this one, which took too long. */
  readonly isOfCall: boolean;

  constructor(message: string, { isOfCall = false, ...options }: ErrorOptions & { readonly isOfCall?: boolean } = {}) {
    super(message, options);
    this.isOfCall = isOfCall;
  }
}

/** A part of a value that is too large: its name and size, without its content. */
export interface LargePart {
  /** Where it stands in the state. */
  readonly name: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Id of the variable, if the part is one; states do not have the names of variables. */
  readonly variableId?: string;
}

/** Describes a value that is too large to be stored. */
export interface TooLarge {
  /** What is too large, for the start of a sentence. */
  readonly subject: string;
  /** Size of the text to be stored, in bytes of UTF-8; absent if only the database knows it. */
  readonly bytes?: number;
  /** The limit in bytes. */
  readonly maxBytes?: number;
  /** How to allow more, as a sentence. */
  readonly advice?: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
  /** What takes most of it, the largest first. */
  readonly largest?: readonly LargePart[];
}

/**
 * Thrown when a state, payload or other value is larger than the store accepts, or than `maxStateBytes` allows. Nothing was
 * written; what was stored before is unchanged.
 */
export class ValueTooLargeError extends WaymarkError {
  readonly code = 'WM7017';
  /** Size in bytes; undefined if the database does not report it. */
  readonly bytes: number | undefined;
  /** The limit in bytes; undefined if the database does not report it. */
  readonly maxBytes: number | undefined;
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string | undefined;
  /** The largest parts of it. */
  readonly largest: readonly LargePart[];

  constructor(
    private readonly found: TooLarge,
    options?: { cause?: unknown },
  ) {
    super(describeTooLarge(found), options);
    this.bytes = found.bytes;
    this.maxBytes = found.maxBytes;
    this.workflowInstanceId = found.workflowInstanceId;
    this.largest = found.largest ?? [];
  }

  /** Returns the same error with the names of variables. */
  withNames(nameOf: (variableId: string) => string | undefined): ValueTooLargeError {
    const largest = this.largest.map((part) => {
      const name = part.variableId === undefined ? undefined : nameOf(part.variableId);
      return name === undefined ? part : { ...part, name: `variable "${name}"` };
    });
    return new ValueTooLargeError({ ...this.found, largest }, { cause: this.cause });
  }
}

function describeTooLarge({ subject, bytes, maxBytes, advice, largest = [] }: TooLarge): string {
  const size = bytes === undefined ? 'is larger than the store takes' : `takes ${sizeText(bytes)}`;
  const limit = maxBytes === undefined ? '' : `, and at most ${sizeText(maxBytes)} can be stored`;
  const names = largest.map((part) => `${part.name} (${sizeText(part.bytes)})`).join(', ');
  return [
    `${subject} ${size}${limit}.`,
    ...(names ? [`Its largest parts: ${names}.`] : []),
    'Keep large data elsewhere and its address in the workflow.',
    ...(advice === undefined ? [] : [advice]),
  ].join(' ');
}

/** In units of 1024, as the option counts. */
function sizeText(bytes: number): string {
  const [kb, mb] = [bytes / 1024, bytes / 1024 / 1024];
  if (bytes < 1024) return `${bytes} bytes`;
  return mb < 1 ? `${kb.toFixed(1)} KB` : `${mb.toFixed(1)} MB`;
}

/**
 * Thrown when the files of the database are no longer where they were opened. The operating system lets the process use the
 * open files, but the data would be lost when it ends. Nothing is written until the files are back.
 */
export class StoreFileLostError extends WaymarkError {
  readonly code = 'WM7018';
  /** If true, the burst in which it is thrown is repeated, and nothing of it is stored. */
  readonly endsBurst = true;

  constructor(
    /** Path of the file. */
    readonly file: string,
    /** What has become of it. */
    readonly reason: 'gone' | 'replaced' | 'emptied',
  ) {
    super(
      `The SQLite file "${file}" ${LOST[reason]} while this process had it open. Nothing is written until it is back. ` +
        (reason === 'emptied'
          ? 'Stop the process and restore a backup: the contents of the file are lost.'
          : 'If it was moved, move it back. If not, save what the process still holds before you stop it: ' +
            'on Linux, copy the deleted files that it has open from /proc/<pid>/fd.'),
    );
  }
}

const LOST = { gone: 'was deleted or moved', replaced: 'was replaced by another one', emptied: 'was emptied' };

const OUTAGES = ['WM7014', 'WM7015', 'WM7018'] as const;
/** Codes of the faults of the store itself. */
export type OutageCode = (typeof OUTAGES)[number];

/** Returns true if an error is a fault of the store itself, and not of the request to it. */
export function isStoreOutage(error: unknown): boolean {
  return OUTAGES.some((code) => isWaymarkError(error, code));
}

/** Returns true if the store had no time for this one call, and answers others. */
export function isOutageOfCall(error: unknown): boolean {
  return isStoreOutage(error) && (error as Partial<StoreUnavailableError>).isOfCall === true;
}

/** Refuses a filter that would select everything. @throws EmptyFilterError (`WM7008`) when no member is given */
export function requireCondition(store: string, filter: object): void {
  // Null as well: JSON has it where a member is missing.
  if (!Object.values(filter).some((condition) => condition !== undefined && condition !== null))
    throw new EmptyFilterError(store);
}
