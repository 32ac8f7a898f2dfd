import type { SchedulingOrigin } from './work-item.js';

/** See the members of `RareContextParts` with these names. */
class RareParts {
  exception: unknown = undefined;
  faultCount = 0;
  attempt = 1;
  attemptsBefore = 0;
  activityInput: Readonly<Record<string, unknown>> | undefined = undefined;
  bookmarkIds: Set<string> | undefined = undefined;
  scheduledBy: SchedulingOrigin | undefined = undefined;
  metadata: Record<string, unknown> | undefined = undefined;
  journalData: Record<string, unknown> | undefined = undefined;
  isRestored = false;
  recordIndex = -1;
  recordedParts = 0;
  hidden: Set<string> | undefined = undefined;
  withheldInputs: Record<string, unknown> | undefined = undefined;
}

/** Bits of `recordedParts`. */
export const RECORDED_INPUTS = 1;
export const RECORDED_OUTPUTS = 2;
export const RECORDED = RECORDED_INPUTS | RECORDED_OUTPUTS;

/**
 * What few executions of activities have: a fault, a bookmark, a past. It is kept in an object of its own, which is made
 * when there is something to keep, since most of what a step costs is the memory of its context.
 */
export abstract class RareContextParts {
  private rare: RareParts | undefined = undefined;

  private get kept(): RareParts {
    return (this.rare ??= new RareParts());
  }

  /** @internal */
  get exception(): unknown {
    return this.rare?.exception;
  }
  /** @internal */
  set exception(value: unknown) {
    this.kept.exception = value;
  }

  /** @internal */
  get faultCount(): number {
    return this.rare === undefined ? 0 : this.rare.faultCount;
  }
  /** @internal */
  set faultCount(value: number) {
    if (value !== this.faultCount) this.kept.faultCount = value;
  }

  /** Number of runs of this execution, the current one included (W9). */
  get attempt(): number {
    return this.rare === undefined ? 1 : this.rare.attempt;
  }
  set attempt(value: number) {
    if (value !== this.attempt) this.kept.attempt = value;
  }

  /** Runs that its retry policy does not count: those of its burst before it began, and those before a retry by hand. @internal */
  get attemptsBefore(): number {
    return this.rare === undefined ? 0 : this.rare.attemptsBefore;
  }
  /** @internal */
  set attemptsBefore(value: number) {
    if (value !== this.attemptsBefore) this.kept.attemptsBefore = value;
  }

  /** @internal */
  get activityInput(): Readonly<Record<string, unknown>> | undefined {
    return this.rare?.activityInput;
  }
  /** @internal */
  set activityInput(value: Readonly<Record<string, unknown>> | undefined) {
    if (value !== this.activityInput) this.kept.activityInput = value;
  }

  /** @internal */
  get bookmarkIds(): ReadonlySet<string> | undefined {
    return this.rare?.bookmarkIds;
  }

  /** @internal */
  get hasBookmarks(): boolean {
    const ids = this.rare?.bookmarkIds;
    return ids !== undefined && ids.size > 0;
  }

  /** @internal */
  addBookmarkId(id: string): void {
    (this.kept.bookmarkIds ??= new Set()).add(id);
  }

  /** @param id all of them when it is not given @internal */
  forgetBookmarkId(id?: string): void {
    const ids = this.rare?.bookmarkIds;
    if (id === undefined) ids?.clear();
    else ids?.delete(id);
  }

  /** Who scheduled it, where that is neither its parent nor an execution that ended before it. @internal */
  get scheduledBy(): SchedulingOrigin | undefined {
    return this.rare?.scheduledBy;
  }
  /** @internal */
  set scheduledBy(value: SchedulingOrigin | undefined) {
    this.kept.scheduledBy = value;
  }

  get metadata(): Record<string, unknown> {
    return (this.kept.metadata ??= {});
  }
  set metadata(value: Record<string, unknown>) {
    this.kept.metadata = value;
  }

  /** Extra data for the journal: the `payload` of the activity execution record. */
  get journalData(): Record<string, unknown> {
    return (this.kept.journalData ??= {});
  }

  // For the journal, which must not create empty ones by reading them.
  /** @internal */
  get existingMetadata(): Readonly<Record<string, unknown>> | undefined {
    return this.rare?.metadata;
  }
  /** @internal */
  get existingJournalData(): Readonly<Record<string, unknown>> | undefined {
    return this.rare?.journalData;
  }

  /** Brought back from a stored state: its inputs are set again before any of its methods runs. @internal */
  get isRestored(): boolean {
    return this.rare !== undefined && this.rare.isRestored;
  }
  /** @internal */
  set isRestored(value: boolean) {
    if (value !== this.isRestored) this.kept.isRestored = value;
  }

  /** Where the journal writer put its record, while there may be another one. @internal */
  get recordIndex(): number {
    return this.rare === undefined ? -1 : this.rare.recordIndex;
  }
  /** @internal */
  set recordIndex(value: number) {
    this.kept.recordIndex = value;
  }

  /** Names of inputs and outputs whose values its records do not show. @internal */
  get hidden(): ReadonlySet<string> | undefined {
    return this.rare?.hidden;
  }

  /** @internal */
  hide(name: string): void {
    (this.kept.hidden ??= new Set()).add(name);
  }

  /** See `ActivityExecutionContextState.withheldInputs`. @internal */
  get withheldInputs(): Record<string, unknown> | undefined {
    return this.rare?.withheldInputs;
  }
  /** @internal */
  set withheldInputs(value: Record<string, unknown> | undefined) {
    if (value !== this.withheldInputs) this.kept.withheldInputs = value;
  }

  /** Parts that its latest record has as they are now. @internal */
  get recordedParts(): number {
    return this.rare === undefined ? 0 : this.rare.recordedParts;
  }
  /** @internal */
  set recordedParts(value: number) {
    if (value !== this.recordedParts) this.kept.recordedParts = value;
  }

  /** Its latest record does not have that part as it is now. @internal */
  forgetRecorded(part: number): void {
    if (this.rare !== undefined) this.rare.recordedParts &= ~part;
  }
}
