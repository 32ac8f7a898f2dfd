import { WaymarkError } from '../errors/waymark-error.js';
import { typeInWords } from './accepted-forms.js';
import type { ValueType } from './value-type.js';

const EXCERPT_LENGTH = 60;

/** Thrown when a value cannot be converted to its type, e.g. text that is not a number for an `Int32` input. */
export class ValueConversionError extends WaymarkError {
  readonly code = 'WM1101';
  /** Alias of the type that was wanted. */
  readonly targetType: string;
  /** The value, shortened; `String` and objects as JSON. */
  readonly excerpt: string;

  constructor(value: unknown, type: ValueType, reason: string, options?: { cause?: unknown }) {
    const excerpt = excerptOf(value);
    super(`Cannot convert ${excerpt} to ${typeInWords(type)}: ${reason}.`, options);
    this.targetType = type.alias;
    this.excerpt = excerpt;
  }
}

function excerptOf(value: unknown): string {
  const text = describe(value);
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text;
}

function describe(value: unknown): string {
  if (typeof value === 'function') return `a function`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  try {
    return JSON.stringify(value) ?? Object.prototype.toString.call(value);
  } catch {
    // Cycles and bigints; the kind of object has to do.
    return Object.prototype.toString.call(value);
  }
}
