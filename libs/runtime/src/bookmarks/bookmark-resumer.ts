import { type AnyStimulusType, stimulusNameOf } from '../services/typed-stimuli.js';
import type { WithInput } from '../services/stimulus-services.js';
import { Inject, Injectable } from '@nestjs/common';
import { type Constructor, isWaymarkError } from '@waymark/core';
import { bookmarkHash, isTrigger } from '@waymark/core/adapter';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { sha256 } from '../engine/identity.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import type { ResumeBookmarkMessage } from '../bursts/messages.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { BookmarkNotFoundError, InstanceNotFoundError } from '../services/instance-errors.js';
import type { RunInstanceResult } from '../services/instance-services.js';
import type { BurstExtras } from '../bursts/burst-commit-builder.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { executionNumber } from '../persistence/execution-ids.js';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import { isStoreOutage, requireCondition } from '../persistence/persistence-errors.js';
import type { OutboxMessage, StoredBookmark } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { IBookmarkResumer, type ResumeOptions } from '../services/bookmark-services.js';
import { given } from '../services/given-members.js';
import { requireRecipients } from '../services/required-recipients.js';
import { DUE, FanOuts, RESUME_BOOKMARK, type TakenBookmarks } from './fan-outs.js';
import { Slots } from './slots.js';

/** The members of a bookmark that a resume needs. */
type BookmarkKey = Pick<StoredBookmark, 'id' | 'workflowInstanceId' | 'dueAt'>;

/** Resumes bookmarks: in this process, or by messages if the call does not wait for them. */
@Injectable()
export class BookmarkResumer extends IBookmarkResumer {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly executor: BurstExecutor,
    private readonly engine: WorkflowEngine,
    private readonly outbox: OutboxProcessor,
    private readonly fanOuts: FanOuts,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    super();
  }

  async resume(
    activity: Constructor | string | AnyStimulusType,
    stimulus: unknown,
    asked: WithInput<ResumeOptions, unknown> = {},
  ): Promise<RunInstanceResult[]> {
    const options = asked as ResumeOptions;
    return this.resumeMany({ hash: this.hashOf(stimulusNameOf(activity), stimulus), ...pick(options) }, options);
  }

  async resumeById(bookmarkId: string, options: ResumeOptions = {}): Promise<RunInstanceResult> {
    // The bookmark alone says which instance is meant.
    requireRecipients({ bookmarkId });
    const { workflowInstanceId } = options;
    if (workflowInstanceId !== undefined) return this.resumeOf(workflowInstanceId, bookmarkId, options);
    const [row] = await this.persistence.bookmarks.findMany({ ids: [bookmarkId] });
    if (!row) throw new BookmarkNotFoundError(bookmarkId);
    return this.resumeRow(row, options);
  }

  override resumeWaiting(bookmark: BookmarkKey, options: ResumeOptions = {}): Promise<RunInstanceResult> {
    return this.resumeRow(bookmark, options);
  }

  async resumeMany(filter: BookmarkFilter, options: ResumeOptions = {}): Promise<RunInstanceResult[]> {
    requireCondition('bookmark', filter);
    requireRecipients(filter);
    requireRecipients(options);
    return this.resumeAll(await this.fanOuts.take(filter, options), options);
  }

  /**
   * Resumes all of them: bookmarks of one instance in one burst, and several instances at a time, or one after another with transient
   * objects of the caller, which the bursts share. A bookmark that another request or node has resumed is left out. A failure does
   * not keep the others from being resumed.
   */
  async resumeAll({ rows, messages }: TakenBookmarks, options: ResumeOptions = {}): Promise<RunInstanceResult[]> {
    const slots = new Slots(options.transient ? 1 : this.options.deliveryConcurrency);
    let failure: { readonly error: unknown; readonly isOfAll: boolean } | undefined;
    const resumeOne = async (row: StoredBookmark, message?: OutboxMessage): Promise<RunInstanceResult | undefined> => {
      if (failure?.isOfAll) throw failure.error;
      try {
        return await this.resumeRow(row, options, message && { consumedMessageIds: [message.id] });
      } catch (error) {
        // Its message stays, and is served by a node that has the code.
        if (message && isWaymarkError(error, 'WM2040')) return this.storedResult(row.workflowInstanceId);
        if (!isGone(error) && !isWaymarkError(error, 'WM7004')) throw error;
        if (message) await this.persistence.outbox.delete(message.id);
        return undefined;
      }
    };
    const resumeHeld = async (begin: Promise<void>, row: StoredBookmark, message?: OutboxMessage) => {
      const task = () => begin.then(() => resumeOne(row, message));
      try {
        return await (message ? this.outbox.holdWhile(message, task) : task());
      } catch (error) {
        failure ??= { error, isOfAll: isStoreOutage(error) || isWaymarkError(error, 'WM3005') };
        return undefined;
      }
    };
    const resuming: Promise<RunInstanceResult | undefined>[] = [];
    for (const indices of ofEachInstance(rows)) {
      let begin = (): void => {};
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const ofInstance = indices.map((index) => (resuming[index] = resumeHeld(begun, rows[index]!, messages?.[index])));
      void slots.run(() => {
        begin();
        return Promise.all(ofInstance);
      });
    }
    const resumed = await Promise.all(resuming);
    if (failure) throw failure.error;
    return resumed.filter((result) => result !== undefined);
  }

  /**
   * Resumes an instance at one bookmark, whatever the stimulus was.
   * @param extras what the commit of the burst takes along, such as the message that asked for it
   */
  resumeRow(row: BookmarkKey, options: ResumeOptions, extras?: BurstExtras): Promise<RunInstanceResult> {
    const { input, properties, transient, signal } = options;
    const resuming = this.executor.resume(
      row.workflowInstanceId,
      { bookmarkId: row.id, input, properties, transient, signal },
      extras,
    );
    // A message cannot hold transient objects of the caller.
    if (extras || transient) return resuming;
    return resuming.catch((error: unknown) => {
      if (!isWaymarkError(error, 'WM2040')) throw error;
      return this.handOver(row, options, error as unknown as WorkflowCodeMissingError);
    });
  }

  /** Another node has the code of the instance. @returns the instance as it is stored now */
  private async handOver(
    { id: bookmarkId, workflowInstanceId, dueAt }: BookmarkKey,
    { input, properties }: ResumeOptions,
    error: WorkflowCodeMissingError,
  ): Promise<RunInstanceResult> {
    const payload: ResumeBookmarkMessage = { bookmarkId, input, properties };
    // A due bookmark is found by every look, until the message has consumed it.
    const id = dueAt && input === undefined ? DUE + bookmarkId : undefined;
    await this.outbox.handOver({ kind: RESUME_BOOKMARK, payload, workflowInstanceId }, error, id);
    return this.storedResult(workflowInstanceId);
  }

  private async storedResult(workflowInstanceId: string): Promise<RunInstanceResult> {
    const stored = await this.persistence.instances.load(workflowInstanceId);
    if (!stored) throw new InstanceNotFoundError(workflowInstanceId);
    const { status, subStatus, state } = stored;
    const { bookmarks, incidents, output } = state;
    return { workflowInstanceId, status, subStatus, bookmarks, incidents, output, state };
  }

  /** The instance says whether it waits there: one that is gone, or has ended, waits at no bookmark. */
  private async resumeOf(workflowInstanceId: string, id: string, options: ResumeOptions): Promise<RunInstanceResult> {
    try {
      return await this.resumeRow({ id, workflowInstanceId }, options);
    } catch (error) {
      if (!isWaymarkError(error, 'WM3001') && !isWaymarkError(error, 'WM3003')) throw error;
      throw new BookmarkNotFoundError(id, workflowInstanceId);
    }
  }

  /** The hash that a bookmark or trigger of that name with that stimulus has. */
  hashOf(name: string, stimulus: unknown): string {
    const provider = this.engine.activities.find(name)?.provider;
    const hashed =
      provider && isTrigger(provider) && provider.getHashInput ? provider.getHashInput(stimulus) : stimulus;
    return bookmarkHash(sha256, name, hashed);
  }
}

/** Returns true if an error says that the bookmark or its instance is not there (any more): consumed, cancelled, ended or deleted. */
export function isGone(error: unknown): boolean {
  return ['WM3001', 'WM3003', 'WM3004', 'WM7002'].some((code) => isWaymarkError(error, code));
}

/** Places of the rows of each instance, in the order in which it began to wait. */
function ofEachInstance(rows: readonly StoredBookmark[]): Iterable<number[]> {
  const places = new Map<string, number[]>();
  for (const [index, { workflowInstanceId }] of rows.entries()) {
    const known = places.get(workflowInstanceId);
    if (known) known.push(index);
    else places.set(workflowInstanceId, [index]);
  }
  for (const indices of places.values())
    if (indices.length > 1) indices.sort((a, b) => compareWaits(rows[a]!, rows[b]!));
  return places.values();
}

/** Two of one instance. Many begin in one millisecond, and their ids are random from there on. */
function compareWaits(a: StoredBookmark, b: StoredBookmark): number {
  const rank = ({ workflowInstanceId, activityInstanceId }: StoredBookmark) =>
    executionNumber(workflowInstanceId, activityInstanceId) ?? 0;
  return a.createdAt.getTime() - b.createdAt.getTime() || rank(a) - rank(b);
}

function pick({ correlationId, workflowInstanceId }: ResumeOptions): BookmarkFilter {
  return given({ correlationId, workflowInstanceId });
}
