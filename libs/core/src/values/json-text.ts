import { WaymarkError } from '../errors/waymark-error.js';
import { findJsonFault, type JsonFault } from './json-fault.js';
import { hasMoreNames } from './json-names.js';
import { endOfJsonString } from './json-string.js';

/** What JSON text from outside may hold, so that a short request cannot keep the process busy or exhaust its stack. */
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

/** The text is not JSON; `fault` says where. */
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

/** The text is deeper than this process reads, or holds more values. */
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

const DEFAULTS = { maxDepth: 1000, maxValues: 1_000_000, maxNames: Infinity };

/**
 * Parses JSON that comes from outside.
 * @throws JsonSyntaxError (WM1104), JsonTooLargeError (WM1105)
 */
export function parseJsonText(text: string, limits: JsonLimits = {}): unknown {
  const { maxDepth, maxValues, maxNames } = { ...DEFAULTS, ...limits };
  // Each value, and each level, takes a character at least.
  if (text.length > Math.min(maxDepth, maxValues) && !isWithin(text, maxDepth, maxValues)) throw malformed(text);
  // The shortest member: a mark of quotation before and after its name, a colon, a digit and a comma.
  if (text.length / 6 > maxNames && hasMoreNames(text, maxNames))
    throw new JsonTooLargeError(
      `has more than ${maxNames} names of members that differ, or that belong to large objects`,
      'names',
    );
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
 * The value of text that may be JSON; any other text as it is.
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
 * Counts before anything is built. Text that is not JSON is counted as well as can be; the parser refuses it afterwards.
 * @returns false for what JSON never has: a string behind a string, and more strings than two for each value, its name and itself.
 * There may be millions of them
 */
function isWithin(text: string, maxDepth: number, maxValues: number): boolean {
  let depth = 0;
  let values = 1;
  let strings = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfJsonString(text, at);
      if (++strings > 2 * values || text.charCodeAt(at + 1) === QUOTE) return false;
    } else if (char === COMMA) values++;
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--;
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      values++;
      if (++depth > maxDepth) throw new JsonTooLargeError(`is nested more than ${maxDepth} levels deep`, 'depth');
    }
    if (values > maxValues) throw new JsonTooLargeError(`holds more than ${maxValues} values`, 'values');
  }
  return true;
}
