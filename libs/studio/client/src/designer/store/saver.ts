import { type ApiError, isNoDefinition, isOvertaken, toApiError } from '../../api/api-error.js';
import type { Design } from '../model/change.js';
import { isSameContent, withContentOf } from '../../api/design-content.js';
import type { DesignStore } from './design-store.js';
import { fingerprint, type LocalDrafts } from './local-drafts.js';

/** Where definitions are kept. */
export interface Shelf {
  /** @throws ApiError 404 when it is not there any more */
  load(): Promise<Design>;
  /** @param over what is there, as it was loaded or saved; undefined: nothing @throws ApiError 412 when something else is there by now */
  save(design: Design, over: Design | undefined): Promise<Design>;
  /** @throws ApiError as `save` does */
  publish(over: Design): Promise<Design>;
}

export interface Pauses {
  /** From the last change to the save. */
  readonly saveMs: number;
  /** From the last change to the draft in this browser. */
  readonly keepMs: number;
  /** Until a server that did not answer is tried again. */
  readonly retryMs: number;
}

/** In which others may be faster by a moment. More often, something on the way to the server changes what is sent. */
const MOST_ATTEMPTS = 5;
const PAUSES: Pauses = { saveMs: 1_200, keepMs: 300, retryMs: 4_000 };

/**
 * Saves what is drawn. Before each save it looks whether another person has saved meanwhile, and the server looks again: then nothing is
 * overwritten or published until the user has chosen. Until the server has it, every change is also kept in this browser.
 */
export class Saver {
  /** What the server has. */
  private base: Design;
  /** The document that was made of it here; equal in content, not always in form. */
  private savedDesign: Design;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private keeping: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<unknown> | undefined;
  /** Sent, and no answer came: the server may have it. Taken for another person's work, it would be a conflict with oneself. */
  private unanswered: Design | undefined;
  /** Of a conflict that a restored draft began, and undo ended: redone, it would be saved over the other person's work. */
  private undoneDraft: { readonly design: Design; readonly origin: string } | undefined;
  /** The page was left. What is not saved is in this browser, and is not written there again: the page may be open anew. */
  private isLeft = false;
  private isStopped = false;
  private readonly leave: () => void;

  /** @param origin fingerprint of what the drawing was made from, where that is not what is stored now */
  constructor(
    private readonly store: DesignStore,
    private readonly shelf: Shelf,
    private readonly drafts: LocalDrafts,
    stored: Design,
    private origin?: string,
    private readonly pauses: Pauses = PAUSES,
  ) {
    this.base = stored;
    this.savedDesign = stored;
    let last = store.design;
    this.leave = store.subscribe(() => {
      if (store.design === last) return;
      last = store.design;
      this.touch();
    });
    if (store.design !== stored) this.touch();
  }

  get hasChanges(): boolean {
    return this.store.design !== this.savedDesign || this.unanswered !== undefined;
  }

  /** Saves now. @returns whether the server has everything */
  async flush(): Promise<boolean> {
    clearTimeout(this.timer);
    // Several may wait for one save, and the first of them begins another: two at a time would take each other for other people.
    while (this.running) await this.running;
    if (this.hasChanges && this.store.state.save.kind !== 'conflict' && !this.isStopped) await this.alone(this.save());
    return !this.hasChanges;
  }

  /** Nothing else is asked of the server until it has ended. */
  private alone<T>(work: Promise<T>): Promise<T> {
    const ended = () => {
      this.running = undefined;
    };
    this.running = work.then(ended, ended);
    return work;
  }

  /**
   * @returns false: not published; to users who may not change the definition, what another person has saved meanwhile is shown
   * @throws ApiError with everything that is in the way
   */
  async publish(): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      do {
        if (!(await this.flush())) return false;
      } while (this.running);
      // What is drawn meanwhile is saved after it: its answer would take the place of that of a save that was faster.
      const isPublished = await this.alone(this.publishOnce(attempt >= MOST_ATTEMPTS));
      if (isPublished !== undefined) return isPublished;
    }
  }

  /** @returns undefined: to be tried again */
  private async publishOnce(isLast: boolean): Promise<boolean | undefined> {
    this.store.setSave({ kind: 'publishing' });
    try {
      const published = await this.shelf.publish(this.base);
      this.base = published;
      this.store.setStanding(published);
    } catch (error) {
      if (isNoDefinition(error)) {
        this.lost();
        return false;
      }
      if (!isOvertaken(error)) throw error;
      const latest = await this.shelf.load();
      if (!isSameContent(latest, this.base)) {
        // Who has drawn nothing has nothing to choose.
        if (this.store.isReadonly) this.follow(latest);
        else this.store.setSave({ kind: 'conflict', theirs: latest });
        return false;
      }
      this.base = latest;
      if (isLast) throw error;
      return undefined;
    } finally {
      if (this.store.state.save.kind === 'publishing') {
        if (this.hasChanges) this.store.setSave({ kind: 'unsaved' });
        else this.backToSaved();
      }
    }
    return true;
  }

  /** Continues after a conflict. What is not taken can be brought back by undo, or is in the version that was saved. */
  async resolve(choice: 'mine' | 'theirs'): Promise<void> {
    const { save } = this.store.state;
    if (save.kind !== 'conflict') return;
    this.base = save.theirs;
    this.origin = undefined;
    this.undoneDraft = undefined;
    this.store.setStanding(save.theirs);
    this.store.setSave({ kind: 'unsaved' });
    if (choice === 'theirs') {
      this.take(save.theirs, (next) => this.store.take(next));
      return;
    }
    await this.flush();
  }

  /** Puts a definition that another person has deleted there again, as it is here. @returns whether the server has it */
  async restore(): Promise<boolean> {
    clearTimeout(this.timer);
    while (this.running) await this.running;
    if (this.store.state.save.kind !== 'deleted') return false;
    await this.alone(this.save(1, true));
    return !this.hasChanges;
  }

  /** Another person's work is shown, if nothing of one's own is waiting. @returns whether there was some */
  async refresh(): Promise<boolean> {
    if (this.hasChanges || this.running) return false;
    const { base } = this;
    const latest = await this.shelf.load().catch((error: unknown) => {
      if (isNoDefinition(error) && !this.hasChanges && !this.running) this.lost();
    });
    if (!latest || this.hasChanges || this.running) return false;
    // Saved or published since it was asked: the answer may be older than that.
    if (this.base !== base) return false;
    return this.follow(latest);
  }

  /** Shows what the server has. @returns whether it is other than before */
  private follow(latest: Design): boolean {
    const isOther = !isSameContent(latest, this.base);
    this.base = latest;
    this.store.setStanding(latest);
    if (isOther) this.take(latest, (next) => this.store.follow(next));
    return isOther;
  }

  /** Keeps what is not saved, at once. @returns whether it is kept: the browser may have no room for it */
  keep(): boolean {
    clearTimeout(this.keeping);
    if (!this.hasChanges || this.isLeft) return true;
    const { design } = this.store;
    return this.drafts.write(design.definitionId, { base: this.origin ?? fingerprint(this.base), design });
  }

  /** When the page is left: what is not saved is saved, and tried again until it is. */
  end(): void {
    this.close();
    void this.flush();
  }

  /** For another saver of the same definition, or another person: nothing more is sent. @returns when what was sent has been answered */
  async stop(): Promise<void> {
    this.close();
    this.isStopped = true;
    await this.running;
  }

  private close(): void {
    this.leave();
    this.keep();
    this.isLeft = true;
    clearTimeout(this.timer);
  }

  private touch(): void {
    if (!this.hasChanges) {
      // What is under way ends with the state that is right by then.
      if (!this.running) this.backToSaved();
      return;
    }
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), this.pauses.keepMs);
    if (this.store.design === this.undoneDraft?.design) {
      this.origin = this.undoneDraft.origin;
      this.store.setSave({ kind: 'conflict', theirs: this.base });
    }
    const { kind } = this.store.state.save;
    if (kind === 'conflict') {
      if (this.origin !== undefined) this.undoneDraft ??= { design: this.store.design, origin: this.origin };
      return;
    }
    if (kind !== 'saving' && kind !== 'publishing') this.store.setSave({ kind: 'unsaved' });
    this.schedule(this.pauses.saveMs);
  }

  /** Everything that was drawn is undone. A draft that stayed in this browser would be restored at each opening. */
  private backToSaved(): void {
    const { save } = this.store.state;
    // What another person has saved since has still to be looked at.
    if (save.kind === 'deleted' || (save.kind === 'conflict' && save.theirs !== this.base)) return;
    clearTimeout(this.timer);
    clearTimeout(this.keeping);
    this.origin = undefined;
    this.drafts.remove(this.store.design.definitionId);
    this.store.setSave({ kind: 'saved' });
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.flush(), ms);
  }

  /** @param isRestored what is not there is put there */
  private async save(attempt = 1, isRestored = false): Promise<void> {
    const { store } = this;
    const { design } = store;
    store.setSave({ kind: 'saving' });
    try {
      const latest = await this.shelf.load().catch((error: unknown) => {
        if (!isRestored || !isNoDefinition(error)) throw error;
        return undefined;
      });
      const own = [this.base, design, this.unanswered].filter((one) => one !== undefined);
      if (latest && !own.some((one) => isSameContent(latest, one))) {
        this.unanswered = undefined;
        store.setSave({ kind: 'conflict', theirs: latest });
        this.keep();
        return;
      }
      this.unanswered = design;
      this.stored(design, await this.shelf.save(design, latest));
    } catch (error) {
      if (!toApiError(error).isOutage) this.unanswered = undefined;
      if (isNoDefinition(error)) {
        this.lost();
        return;
      }
      // Another person was faster by a moment: what that is, the next look shows.
      if (isOvertaken(error) && attempt < MOST_ATTEMPTS && !this.isStopped) return this.save(attempt + 1, isRestored);
      this.failed(toApiError(error));
    }
  }

  private stored(design: Design, saved: Design): void {
    this.base = saved;
    this.origin = undefined;
    this.savedDesign = design;
    this.unanswered = undefined;
    this.undoneDraft = undefined;
    this.store.setStanding(saved);
    if (this.hasChanges) this.touchAfterSave();
    else {
      clearTimeout(this.keeping);
      this.drafts.remove(design.definitionId);
      this.store.setSave({ kind: 'saved' });
    }
  }

  /** The server has no definition of that id any more. */
  private lost(): void {
    this.keep();
    this.store.setSave({ kind: 'deleted' });
  }

  private touchAfterSave(): void {
    this.store.setSave({ kind: 'unsaved' });
    this.schedule(this.pauses.saveMs);
  }

  private failed(error: ApiError): void {
    const isKept = this.keep();
    // 401: the login has expired, and is asked for on top of the page.
    if (error.isOutage || error.status === 401) {
      this.store.setSave({ kind: 'offline', isKept });
      this.schedule(Math.max(this.pauses.retryMs, (error.retryAfterSeconds ?? 0) * 1000));
    } else if (this.hasChanges) this.store.setSave({ kind: 'refused', error });
    else this.backToSaved();
  }

  private take(theirs: Design, show: (next: Design) => void): void {
    const next = withContentOf(this.store.design, theirs);
    this.savedDesign = next;
    this.unanswered = undefined;
    this.undoneDraft = undefined;
    show(next);
    this.drafts.remove(next.definitionId);
    this.savedDesign = this.store.design;
    this.store.setSave({ kind: 'saved' });
  }
}
