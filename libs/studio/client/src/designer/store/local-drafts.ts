import { hashOf } from '../../api/owner-of.js';
import type { Design } from '../model/change.js';
import { newId } from '../model/new-activity.js';
import { contentOf, sorted } from '../../api/design-content.js';
import { parseExactly } from '../../api/exact-json.js';

/** What was not saved yet, in this browser: after a crash of the tab, or without a network, it is still there. */
export interface LocalDraft {
  /** Of the stored definition that it was made from. */
  readonly base: string;
  readonly design: Design;
  /** The saver that has written it. Missing in those of Studio before. */
  readonly by?: string;
}

/** A few characters that stand for the content of a definition. */
export function fingerprint(design: Design): string {
  return hashOf(JSON.stringify(sorted(contentOf(design))));
}

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Of one saver: two tabs may draw the same definition, and each keeps and removes what it has drawn itself. */
export class LocalDrafts {
  private readonly by = newId();
  /** Whose drafts this one has continued with. */
  private readonly taken = new Set<string | undefined>([this.by]);

  constructor(
    private readonly shelf: Shelf,
    private readonly owner: string,
  ) {}

  /** From here on it is this saver's own. */
  read(definitionId: string): LocalDraft | undefined {
    for (const name of this.names(definitionId)) {
      const draft = this.at(name);
      if (!draft) continue;
      this.taken.add(draft.by);
      return draft;
    }
    return undefined;
  }

  /** @returns false when the browser has no room for it */
  write(definitionId: string, draft: LocalDraft): boolean {
    try {
      const [name, aside] = this.names(definitionId);
      const other = this.at(name);
      // Of another tab, which has not saved it: it is found there when this one is saved.
      if (other && !this.taken.has(other.by)) this.shelf.setItem(aside, JSON.stringify(other));
      this.shelf.setItem(name, JSON.stringify({ ...draft, by: this.by }));
      return true;
    } catch {
      return false;
    }
  }

  remove(definitionId: string): void {
    for (const name of this.names(definitionId)) {
      const draft = this.at(name);
      if (!draft || this.taken.has(draft.by)) this.clear(name);
    }
  }

  private clear(name: string): void {
    try {
      this.shelf.removeItem(name);
    } catch {
      // Not allowed: then nothing was written either.
    }
  }

  private at(name: string): LocalDraft | undefined {
    try {
      const text = this.shelf.getItem(name);
      return text === null ? undefined : (parseExactly(text) as LocalDraft);
    } catch {
      return undefined;
    }
  }

  private names(definitionId: string): [string, string] {
    return [`waymark-draft ${this.owner} ${definitionId}`, `waymark-draft-aside ${this.owner} ${definitionId}`];
  }
}
