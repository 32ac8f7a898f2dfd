import { WaymarkError } from '../errors/waymark-error.js';
import { findJsonFault, type JsonFault } from './json-fault.js';
import { NameCount } from './json-names.js';
import { endOfJsonString } from './json-string.js';

/** Limits of JSON text from outside, so that a short request cannot keep the process busy or exhaust its stack. */
export interface JsonLimits {
  /** Lists and objects inside of each other. @default 1000 */
  readonly maxDepth?: number;
  /** Values in all: members, items, and the lists and objects that hold them. @default 1000000 */
  readonly maxValues?: number;
  /**
   * Different names of members, and members of objects with more than 1,000: each takes many times as long as any other
   * value. @default no limit
   */
  readonly maxNames?: number;
}

/** Thrown when a text is not JSON; `fault` says where. */
export class JsonSyntaxError extends WaymarkError {
  readonly code = 'WM1104';
  constructor(
    /** What is wrong, and where. */
    readonly fault: JsonFault,
    options?: { cause?: unknown },
  ) {
    super(`The text is not JSON: ${fault.reason}`, options);
  }
}

/** Thrown when JSON text is nested more deeply, or has more values, than the limits allow. */
export class JsonTooLargeError extends WaymarkError {
  readonly code = 'WM1105';
  constructor(
    what: string,
    /** Which of its limits the text breaks. */
    readonly limit: 'depth' | 'values' | 'names',
  ) {
    super(`The JSON text ${what}. Send less at a time.`);
  }
}

const LONGEST_SEARCHED = 1_000_000;
const SOMEWHERE: JsonFault = { reason: 'it is malformed.', steps: [], isBehind: false, index: 0 };

/**
 * Limits of a text that a burst converts to a value. A client may have chosen it, under any content type or inside of other
 * JSON, so no limit of its body has counted it; and it is parsed in one turn, which takes about a tenth of a second at these limits.
 */
export const CONVERTED_TEXT: JsonLimits = { maxValues: 250_000, maxNames: 30_000 };

const DEFAULTS = { maxDepth: 1000, maxValues: 1_000_000, maxNames: Infinity };

/** Characters that are counted between two pauses: a few milliseconds. */
const SLICE_CHARS = 500_000;

/**
 * Parses JSON that comes from outside.
 * @throws JsonSyntaxError (WM1104), JsonTooLargeError (WM1105)
 */
export function parseJsonText(text: string, limits: JsonLimits = {}): unknown {
  for (const count of countsOf(text, limits)) count.readTo(text.length);
  return parsed(text);
}

/**
 * Parses like `parseJsonText`, but yields to other work while it counts values: for ten megabytes, counting takes as long as the parser,
 * which reads all at once.
 * @param pause resolves when other work has had its turn
 */
export async function parseJsonTextInTurns(
  text: string,
  limits: JsonLimits,
  pause: () => Promise<unknown>,
): Promise<unknown> {
  let isCounted = false;
  for (const count of countsOf(text, limits)) {
    for (let end = SLICE_CHARS; count.readTo(end); end += SLICE_CHARS) await pause();
    isCounted = true;
  }
  if (isCounted && text.length > SLICE_CHARS) await pause();
  return parsed(text);
}

/** What reads a text before anything is built of it. Each of them throws what is wrong with it. */
interface Count {
  /** Continues up to there, or to the end of what stands there. @returns whether there is more */
  readTo(end: number): boolean;
}

function* countsOf(text: string, limits: JsonLimits): Generator<Count> {
  const { maxDepth, maxValues, maxNames } = { ...DEFAULTS, ...limits };
  // Each value, and each level, takes a character at least.
  if (text.length > Math.min(maxDepth, maxValues)) yield new ValueCount(text, maxDepth, maxValues);
  // The shortest member: a mark of quotation before and after its name, a colon, a digit and a comma.
  if (text.length / 6 > maxNames) yield new LimitedNames(text, maxNames);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw malformed(text, cause);
  }
}

/** A long text is not read a second time to say where it breaks: that takes longer than parsing it. */
function malformed(text: string, cause?: unknown): JsonSyntaxError {
  const fault = text.length > LONGEST_SEARCHED ? SOMEWHERE : findJsonFault(text);
  return new JsonSyntaxError(fault, cause === undefined ? undefined : { cause });
}

/**
 * Parses text if it is JSON, and returns any other text unchanged.
 * @throws JsonTooLargeError (WM1105)
 */
export function parseIfJson(text: string, limits?: JsonLimits): unknown {
  try {
    return parseJsonText(text, limits);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return text;
    throw error;
  }
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 91, 93, 123, 125];

/**
 * Counts values and levels. Text that is not JSON is counted as well as can be; the parser refuses it afterwards. What JSON never
 * has is refused at once: a string behind a string, and more strings than two for each value, its name and itself. There may be
 * millions of them.
 */
class ValueCount implements Count {
  private at = 0;
  private depth = 0;
  private values = 1;
  private strings = 0;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
    private readonly maxValues: number,
  ) {}

  readTo(end: number): boolean {
    const { text, maxDepth, maxValues } = this;
    let { at, depth, values, strings } = this;
    for (const last = Math.min(end, text.length); at < last; at++) {
      const char = text.charCodeAt(at);
      if (char === QUOTE) {
        at = endOfJsonString(text, at);
        if (++strings > 2 * values || text.charCodeAt(at + 1) === QUOTE) throw malformed(text);
      } else if (char === COMMA) values++;
      else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--;
      else if (char === OPEN_LIST || char === OPEN_OBJECT) {
        values++;
        if (++depth > maxDepth) throw new JsonTooLargeError(`is nested more than ${maxDepth} levels deep`, 'depth');
      }
      if (values > maxValues) throw new JsonTooLargeError(`holds more than ${maxValues} values`, 'values');
    }
    this.at = at;
    this.depth = depth;
    this.values = values;
    this.strings = strings;
    return at < text.length;
  }
}

/**
 * Whether a text of JSON holds more values than that, as found before anything is built of it. One that is malformed is left to its parser.
 */
export function hasMoreJsonValues(text: string, most: number): boolean {
  // Each takes a character, and a comma or a bracket.
  if (text.length <= most) return false;
  try {
    new ValueCount(text, Infinity, most).readTo(text.length);
    return false;
  } catch (error) {
    return error instanceof JsonTooLargeError;
  }
}

/** Refuses too many names. */
class LimitedNames implements Count {
  private readonly names: NameCount;

  constructor(
    private readonly text: string,
    private readonly maxNames: number,
  ) {
    this.names = new NameCount(text, maxNames);
  }

  readTo(end: number): boolean {
    const isMore = this.names.readTo(end);
    if (!this.names.isOver) return isMore;
    throw new JsonTooLargeError(
      `has more than ${this.maxNames} names of members that differ, or that belong to large objects`,
      'names',
    );
  }
}
