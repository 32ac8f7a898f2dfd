import type { Bookmark } from '../state/workflow-state.js';
import { type Entry, readEntry, type RestingPart } from '../state/resting-state.js';

/** Bookmarks of an instance by their ids, each of which is read when it is asked for. */
export class RestingBookmarks extends Map<string, Bookmark> {
  /** Those that were not read yet. Beside them, the map has a place for each, so that their order stays. */
  private readonly resting: Map<string, RestingPart<Bookmark>>;

  constructor(
    parts: readonly RestingPart<Bookmark>[],
    private readonly open: (bookmark: Bookmark) => Bookmark,
  ) {
    super();
    this.resting = new Map(parts.map((part) => [part.id, part]));
    for (const { id } of parts) super.set(id, UNREAD);
  }

  override get(id: string): Bookmark | undefined {
    const part = this.resting.get(id);
    if (!part) return super.get(id);
    const bookmark = this.open(readEntry(part));
    this.set(id, bookmark);
    return bookmark;
  }

  override set(id: string, bookmark: Bookmark): this {
    // The constructor of a map has no members yet.
    this.resting?.delete(id);
    return super.set(id, bookmark);
  }

  override delete(id: string): boolean {
    this.resting.delete(id);
    return super.delete(id);
  }

  override clear(): void {
    this.resting.clear();
    super.clear();
  }

  /** In their order, those at rest as they are. */
  list(): Entry<Bookmark>[] {
    const all: Entry<Bookmark>[] = [];
    for (const id of super.keys()) all.push(this.resting.get(id) ?? super.get(id)!);
    return all;
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

/** Stands in the place of a bookmark that was not read. */
const UNREAD = Object.freeze({}) as Bookmark;
