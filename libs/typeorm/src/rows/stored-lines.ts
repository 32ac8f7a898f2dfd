import { parseStored } from './parse-stored.js';
import { serializeBeside, tooLargeOr } from './stored-text.js';
import { ValueNotes } from './value-notes.js';

/** Items of a list that are written or read without a pause: what takes some milliseconds. A list of so many is long. */
const ITEMS_OF_PART = 500;

/** Gives others their turn, if it is time. @returns what to wait for, if there is anything */
export type Pause = () => Promise<void> | undefined;

/**
 * What `serialize` writes, with line breaks, which mean nothing in JSON and do not occur in its texts: members that are long
 * lists have a line for each item. So each line can be written and read by itself, and others have their turns in between;
 * ten thousand branches of one instance took a quarter of a second at once. The value must not change meanwhile.
 * @param path what to call the value in an error
 * @param more a further note for the codec, as a member of JSON
 * @returns undefined: there are no notes beside which `more` could stand
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export function serializeInLines(value: object, path: string, pause: Pause): Promise<string>;
export function serializeInLines(value: object, path: string, pause: Pause, more: string): Promise<string | undefined>;
export async function serializeInLines(
  value: object,
  path: string,
  pause: Pause,
  more?: string,
): Promise<string | undefined> {
  const notes = new ValueNotes();
  const pieces: string[] = ['{'];
  for (const [name, member] of Object.entries(value)) {
    const before = `${pieces.length > 1 ? ',' : ''}${JSON.stringify(name)}:`;
    if (Array.isArray(member) && member.length > ITEMS_OF_PART) {
      pieces.push(`${before}[\n`);
      if (!(await addLines(pieces, name, member, notes, pause))) return serializeBeside(value, path, more);
      pieces.push('\n]');
      continue;
    }
    const text = notes.textOf(name, member);
    if (text === undefined) return serializeBeside(value, path, more);
    if (text !== '') pieces.push(before + text);
  }
  pieces.push('}');
  try {
    return notes.besidePieces(pieces, more);
  } catch (error) {
    throw tooLargeOr(error, path);
  }
}

/** Resolves with false if only the codec can write one of the items. */
async function addLines(
  pieces: string[],
  name: string,
  items: readonly unknown[],
  notes: ValueNotes,
  pause: Pause,
): Promise<boolean> {
  notes.enter(name);
  for (let index = 0; index < items.length; index++) {
    const text = notes.textOf(index, items[index]);
    if (text === undefined) return false;
    if (index > 0) pieces.push('\n,');
    pieces.push(text === '' ? 'null' : text);
    if ((index + 1) % ITEMS_OF_PART !== 0) continue;
    const turn = pause();
    if (turn) await turn;
  }
  notes.leave();
  return true;
}

/** How a line ends that the items of a list follow. */
const BEFORE_ITEMS = /"(\w+)":\[$/;

/** The JSON of such a text, read line by line; of any other, also of one that was laid out by hand, at once. @throws StoredValueError */
export async function parseInLines(text: string, pause: Pause): Promise<unknown> {
  try {
    return (await readLines(text.split('\n'), pause)) ?? parseStored(text);
  } catch {
    return parseStored(text);
  }
}

async function readLines(texts: readonly string[], pause: Pause): Promise<object | undefined> {
  const { frame, lists } = partsOf(texts);
  if (lists.size === 0) return undefined;
  const stored = JSON.parse(frame) as { json: Record<string, unknown[]> };
  for (const [name, lines] of lists) {
    const items = stored.json[name]!;
    let paused = 0;
    for (const line of lines) {
      addItems(items, line);
      if (items.length - paused < ITEMS_OF_PART) continue;
      paused = items.length;
      const turn = pause();
      if (turn) await turn;
    }
  }
  return stored;
}

/** A line by itself is a part of the text, and is read in place. Brackets around it would copy it, which takes longer than to read it. */
function addItems(items: unknown[], line: string): void {
  let item: unknown;
  try {
    item = JSON.parse(line);
  } catch {
    // Earlier versions have written several items in a line.
    return void items.push(...(JSON.parse(`[${line}]`) as unknown[]));
  }
  items.push(item);
}

interface Parts {
  /** The text without the items. */
  readonly frame: string;
  /** Lines with items, by the name of their list. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

function partsOf(lines: readonly string[]): Parts {
  const lists = new Map<string, string[]>();
  const frame: string[] = [];
  let items: string[] | undefined;
  for (const line of lines) {
    if (items && !line.startsWith(']')) {
      items.push(line.startsWith(',') ? line.slice(1) : line);
      continue;
    }
    frame.push(line);
    const name = BEFORE_ITEMS.exec(line)?.[1];
    items = name === undefined ? undefined : [];
    if (items) lists.set(name!, items);
  }
  return { frame: frame.join(''), lists };
}
