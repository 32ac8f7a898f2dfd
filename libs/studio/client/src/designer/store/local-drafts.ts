import type { Design } from '../model/change.js';
import { contentOf, sorted } from '../../api/design-content.js';
import { parseExactly } from '../../api/exact-json.js';

/** What was not saved yet, in this browser: after a crash of the tab, or without a network, it is still there. */
export interface LocalDraft {
  /** Of the stored definition that it was made from. */
  readonly base: string;
  readonly design: Design;
}

/** A few characters that stand for the content of a definition. */
export function fingerprint(design: Design): string {
  let [high, low] = [0x811c9dc5, 0x1b873593];
  const text = JSON.stringify(sorted(contentOf(design)));
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0xcc9e2d51);
  }
  return `${text.length}-${high >>> 0}-${low >>> 0}`;
}

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class LocalDrafts {
  constructor(
    private readonly shelf: Shelf,
    private readonly owner: string,
  ) {}

  read(definitionId: string): LocalDraft | undefined {
    try {
      const text = this.shelf.getItem(this.name(definitionId));
      return text === null ? undefined : (parseExactly(text) as LocalDraft);
    } catch {
      return undefined;
    }
  }

  /** @returns false when the browser has no room for it */
  write(definitionId: string, draft: LocalDraft): boolean {
    try {
      this.shelf.setItem(this.name(definitionId), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  remove(definitionId: string): void {
    this.shelf.removeItem(this.name(definitionId));
  }

  private name(definitionId: string): string {
    return `waymark-draft ${this.owner} ${definitionId}`;
  }
}
