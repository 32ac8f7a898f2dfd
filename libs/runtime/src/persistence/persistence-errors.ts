import { isWaymarkError, WaymarkError } from '@waymark/core';
import type { Firing } from './burst-commit.js';

/** Another commit came first. Load the instance (or definition) again and decide anew. */
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

/** The bookmark that a burst used has been consumed by another one (W2). */
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

/** Another node fired this occurrence of a trigger or schedule (W4). */
export class OccurrenceClaimedError extends WaymarkError {
  readonly code = 'WM7003';
  /** When the occurrence was due. */
  readonly dueAt: Date;
  /** Of a trigger. */
  readonly triggerId: string | undefined;
  /** Of what the application has scheduled. */
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

/** A message or queue item was served by another node. */
export class MessageConsumedError extends WaymarkError {
  readonly code = 'WM7004';
  constructor(
    /** The message or queue item. */
    readonly messageId: string,
  ) {
    super(`Message "${messageId}" was already processed by another node.`);
  }
}

/** The activation strategy of the definition does not allow another running instance. */
export class ActivationRefusedError extends WaymarkError {
  readonly code = 'WM7005';
  constructor(
    /** What the running instance and the new one have in common. */
    readonly activationKey: string,
  ) {
    super(
      `A running workflow instance holds "${activationKey}". Wait until it finishes, or cancel it, then start again.`,
    );
  }
}

/** Two definitions want the same exclusive trigger, such as one HTTP method of one path. */
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

/** An instance was already started with this request key. */
export class RequestKeyUsedError extends WaymarkError {
  readonly code = 'WM7007';
  constructor(
    /** The key. */
    readonly requestKey: string,
    /** The instance that it started. */
    readonly workflowInstanceId: string,
  ) {
    super(`Request key "${requestKey}" already started workflow instance "${workflowInstanceId}".`);
  }
}

/** A filter without any condition would select every bookmark there is. */
export class EmptyFilterError extends WaymarkError {
  readonly code = 'WM7008';
  constructor(
    /** Which rows it would have selected. */
    readonly store: string,
  ) {
    super(`A ${store} filter needs at least one condition: an empty one would select everything.`);
  }
}

/** The store answered with something that it must not answer. An activity that meets it ends its burst. */
export class PersistenceError extends WaymarkError {
  readonly code = 'WM7009';
  /** The burst that meets it is repeated, and nothing of it is kept. */
  readonly endsBurst = true;
}

/**
 * The store cannot be reached, does not answer in time, or refuses all work for now. Nothing was written, and the same call
 * succeeds once the store is back. It says nothing about what the caller asked for.
 */
export class StoreUnavailableError extends WaymarkError {
  readonly code = 'WM7014';
  /** The burst that meets it is repeated, and nothing of it is kept. */
  readonly endsBurst = true;
}

/**
 * The connection was lost while a transaction was being committed, so it is unknown whether it was stored. Load what it
 * wrote to find out.
 */
export class CommitOutcomeUnknownError extends WaymarkError {
  readonly code = 'WM7015';
  /** The burst that meets it is repeated, and nothing of it is kept. */
  readonly endsBurst = true;
}

/** A part of a value that is too large: its name, never what is in it. */
export interface LargePart {
  /** Where it stands in the state. */
  readonly name: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Where it is a variable: a state names variables by their ids only. */
  readonly variableId?: string;
}

/** What is too large to be stored, and by how much. */
export interface TooLarge {
  /** What is too large, for the start of a sentence. */
  readonly subject: string;
  /** Of the text to be stored, in UTF-8; absent where only the database knows. */
  readonly bytes?: number;
  /** The most that it may take. */
  readonly maxBytes?: number;
  /** How to allow more, as a sentence. */
  readonly advice?: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
  /** What takes most of it, the largest first. */
  readonly largest?: readonly LargePart[];
}

/**
 * A state, payload or the like is larger than the store takes, or than `maxStateBytes` allows. Nothing was written; what was
 * stored before is still there.
 */
export class ValueTooLargeError extends WaymarkError {
  readonly code = 'WM7017';
  /** Size in bytes; undefined: the database has not said. */
  readonly bytes: number | undefined;
  /** The limit in bytes; undefined: the database has not said. */
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

  /** The same error with the names of variables, for who knows them. */
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
 * The files of the database are not where they were opened. The system lets the process go on with the ones it has open, but
 * no reader will find them after it. Nothing is written until they are back.
 */
export class StoreFileLostError extends WaymarkError {
  readonly code = 'WM7018';
  /** The burst that meets it is repeated, and nothing of it is kept. */
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
          ? 'Stop the process and restore a backup: the contents of the file are lost. '
          : 'If it was moved, move it back. If not, save what the process still holds before you stop it. ') +
        'See "When the SQLite file is lost" in docs/persistence.md.',
    );
  }
}

const LOST = { gone: 'was deleted or moved', replaced: 'was replaced by another one', emptied: 'was emptied' };

const OUTAGES = ['WM7014', 'WM7015', 'WM7018'] as const;
/** Codes of the faults of the store itself. */
export type OutageCode = (typeof OUTAGES)[number];

/** Whether an error is a fault of the store itself and no fault of what it was asked for. */
export function isStoreOutage(error: unknown): boolean {
  return OUTAGES.some((code) => isWaymarkError(error, code));
}

/** Refuses a filter that would select everything. @throws EmptyFilterError (`WM7008`) when no member is given */
export function requireCondition(store: string, filter: object): void {
  if (!Object.values(filter).some((condition) => condition !== undefined)) throw new EmptyFilterError(store);
}
