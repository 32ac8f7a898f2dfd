import type { Bookmark } from '../state/workflow-state.js';
import { type Entry, readEntry, RestingPart } from '../state/resting-state.js';

/** Bookmarks of an instance by their ids, each of which is read when it is asked for. */
export class RestingBookmarks extends Map<string, Bookmark> {
  constructor(
    parts: readonly RestingPart<Bookmark>[],
    private readonly open: (bookmark: Bookmark) => Bookmark,
  ) {
    super();
    // One that was not read yet has its part in its place.
    for (const part of parts) super.set(part.id, part as unknown as Bookmark);
  }

  override get(id: string): Bookmark | undefined {
    const entry: Entry<Bookmark> | undefined = super.get(id);
    if (!(entry instanceof RestingPart)) return entry;
    const bookmark = this.open(readEntry<Bookmark>(entry));
    this.set(id, bookmark);
    return bookmark;
  }

  /** In their order, those at rest as they are. */
  list(): Entry<Bookmark>[] {
    return [...super.values()];
  }

  override *values(): MapIterator<Bookmark> {
    for (const id of super.keys()) yield this.get(id)!;
  }

  override *entries(): MapIterator<[string, Bookmark]> {
    for (const id of super.keys()) yield [id, this.get(id)!];
  }

  override [Symbol.iterator](): MapIterator<[string, Bookmark]> {
    return this.entries();
  }

  override forEach(each: (value: Bookmark, key: string, map: Map<string, Bookmark>) => void): void {
    for (const [id, bookmark] of this.entries()) each(bookmark, id, this);
  }
}
