import type { ActivityJson } from '../../api/definitions.js';
import type { Box } from './arrange.js';
import { type Change, type Design, edit } from './change.js';
import type { Level } from './level.js';

/** A text beside the activities of a level. It stands in the metadata of their container, which Elsa keeps as they are. */
export interface Note {
  readonly id: string;
  readonly text: string;
  readonly position: { readonly x: number; readonly y: number };
}

/** In order of the document; what is written in another way is left alone. */
export function notesOf(content: ActivityJson | undefined): Note[] {
  return listOf(content)
    .filter(isNote)
    .map(({ id, text, position: { x, y } }) => ({
      id,
      text,
      position: { x: Number(x), y: Number(y) },
    }));
}

const listOf = (content: ActivityJson | undefined): readonly unknown[] => {
  const { notes } = (content?.metadata ?? {}) as { notes?: unknown };
  return Array.isArray(notes) ? notes : [];
};

export function isNote(value: unknown): value is Note {
  const { id, text, position } = (value ?? {}) as Partial<Note>;
  return (
    typeof id === 'string' &&
    typeof text === 'string' &&
    Number.isFinite(Number(position?.x ?? Number.NaN)) &&
    Number.isFinite(Number(position?.y ?? Number.NaN))
  );
}

/** A container with other notes; without any it is as if there had never been one. */
export function withNotes(
  content: ActivityJson,
  next: (notes: readonly unknown[]) => readonly unknown[],
): ActivityJson {
  const notes = next(listOf(content));
  if (notes.length > 0) return { ...content, metadata: { ...content.metadata, notes } };
  const { notes: _gone, ...rest } = (content.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const { metadata: _metadata, ...bare } = content;
  return Object.keys(rest).length > 0 ? { ...content, metadata: rest } : (bare as ActivityJson);
}

export const withoutNotes = (content: ActivityJson, ids: ReadonlySet<string>): ActivityJson =>
  notesOf(content).some(({ id }) => ids.has(id))
    ? withNotes(content, (notes) => notes.filter((note) => !isNote(note) || !ids.has(note.id)))
    : content;

/** Changes one; everything else that stands in it stays. @param key what is written in a row is one step of undo */
export function changeNote(
  design: Design,
  { path, content }: Level,
  id: string,
  next: Partial<Note>,
  key?: string,
): Change | undefined {
  const index = listOf(content).findIndex((note) => isNote(note) && note.id === id);
  if (index === -1) return undefined;
  return edit(design, [...path, 'metadata', 'notes', index], (note: Note) => ({ ...note, ...next }), key);
}

const LINE = 18;
const LETTERS = 30;
const MOST_LINES = 16;

/** As high as its text, so that nothing has to be measured or stored. */
export function heightOfNote(text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LETTERS)), 0);
  return 24 + LINE * Math.min(MOST_LINES, Math.max(2, lines));
}

export const boxOfNote = ({ id, text, position }: Note): Box => ({ id, ...position, height: heightOfNote(text) });
