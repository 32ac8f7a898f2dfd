import { serialize } from './stored-text.js';
import { ValueNotes } from './value-notes.js';

/** Items of a list that are written in one line: what takes some milliseconds to write or read. */
const ITEMS_OF_LINE = 500;

/** Gives others their turn, if it is time. @returns what to wait for, if there is anything */
export type Pause = () => Promise<void> | undefined;

/**
 * What `serialize` writes, with line breaks, which mean nothing in JSON and do not occur in its texts: members that are long
 * lists have a line for each five hundred items. So each line can be written and read by itself, and others have their turns
 * in between; ten thousand branches of one instance took a quarter of a second at once. The value must not change meanwhile.
 * @param path what to call the value in an error
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export async function serializeInLines(value: object, path: string, pause: Pause): Promise<string> {
  const notes = new ValueNotes();
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const isLong = Array.isArray(member) && member.length > ITEMS_OF_LINE;
    const text = isLong ? await linesOf(name, member, notes, pause) : notes.textOf(name, member);
    if (text === undefined) return serialize(value, path);
    if (text !== '') members.push(`${JSON.stringify(name)}:${text}`);
  }
  return notes.beside(`{${members.join(',')}}`);
}

async function linesOf(
  name: string,
  items: readonly unknown[],
  notes: ValueNotes,
  pause: Pause,
): Promise<string | undefined> {
  const lines: string[] = [];
  notes.enter(name);
  for (let begin = 0; begin < items.length; begin += ITEMS_OF_LINE) {
    const texts: string[] = [];
    for (let index = begin; index < Math.min(begin + ITEMS_OF_LINE, items.length); index++) {
      const text = notes.textOf(index, items[index]);
      if (text === undefined) return undefined;
      texts.push(text === '' ? 'null' : text);
    }
    lines.push(texts.join(','));
    const turn = pause();
    if (turn) await turn;
  }
  notes.leave();
  return `[\n${lines.join('\n,')}\n]`;
}

/** How a line ends that the items of a list follow. */
const BEFORE_ITEMS = /"(\w+)":\[$/;

/** The JSON of such a text, read line by line; of any other, also of one that was laid out by hand, at once. */
export async function parseInLines(text: string, pause: Pause): Promise<unknown> {
  try {
    return (await readLines(text.split('\n'), pause)) ?? (JSON.parse(text) as unknown);
  } catch {
    return JSON.parse(text) as unknown;
  }
}

async function readLines(texts: readonly string[], pause: Pause): Promise<object | undefined> {
  const { frame, lists } = partsOf(texts);
  if (lists.size === 0) return undefined;
  const stored = JSON.parse(frame) as { json: Record<string, unknown[]> };
  for (const [name, lines] of lists)
    for (const line of lines) {
      stored.json[name]!.push(...(JSON.parse(`[${line}]`) as unknown[]));
      const turn = pause();
      if (turn) await turn;
    }
  return stored;
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
