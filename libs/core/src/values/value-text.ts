import { encodeBase64 } from './base64.js';
import { objectKind } from './object-kind.js';
import { storableTypeOfValue } from './storable-type.js';
import { toPlainJson } from './to-plain-json.js';

/**
 * A value as the text that a `String` input or variable receives: data as JSON, dates in ISO form, booleans as .NET
 * spells them. `undefined` for what has no text: functions, symbols, objects that do not say how they are written.
 */
export function valueText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 'True' : 'False';
    case 'object':
      return value === null ? undefined : objectText(value);
    default:
      return undefined;
  }
}

/** Below that .NET writes an exponent: sooner than JavaScript. */
const SMALLEST_WITHOUT_EXPONENT = 1e-4;

/** From here on .NET writes an exponent for a `Double`: sooner than JavaScript. */
const LARGEST_WITHOUT_EXPONENT = 1e15;
/** A whole number below that is an `Int64` as far as anything shows, such as an id or a time in microseconds. */
const INT64_END = 2 ** 63;

/** An exponent is spelled as .NET does: `1E+19`, `1.5E-05`. */
function numberText(value: number): string {
  const size = Math.abs(value);
  const isSmall = value !== 0 && size < SMALLEST_WITHOUT_EXPONENT;
  const isLarge = Number.isInteger(value) ? size >= INT64_END : size >= LARGEST_WITHOUT_EXPONENT;
  const text = isSmall || isLarge ? value.toExponential() : String(value);
  const at = text.indexOf('e');
  return at < 0 ? text : `${text.slice(0, at)}E${text.charAt(at + 1)}${text.slice(at + 2).padStart(2, '0')}`;
}

/** The text of a value that is one by itself, as `valueText` writes it. `undefined` for what only JSON could be made of. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return valueText(value);
  const kind = objectKind(value);
  if (kind === 'other') return hasOwnText(value) ? value.toString() : undefined;
  return TEXTUAL.has(kind) ? objectText(value) : undefined;
}

const TEXTUAL: ReadonlySet<string> = new Set(['date', 'bytes', 'url', 'regexp', 'error']);

function objectText(value: object): string | undefined {
  switch (objectKind(value)) {
    case 'date':
      return Number.isNaN((value as Date).getTime()) ? undefined : (value as Date).toISOString();
    case 'bytes':
      return encodeBase64(value as Uint8Array);
    case 'url':
    case 'regexp':
    case 'error':
      return String(value as URL | RegExp | Error);
    case 'other':
      return ownText(value);
    default:
      return JSON.stringify(toPlainJson(value));
  }
}

/** What `toString` says, unless that is only `[object Object]`; then the data of a class that is stored. */
function ownText(value: object): string | undefined {
  if (hasOwnText(value)) return value.toString();
  return storableTypeOfValue(value) ? JSON.stringify(toPlainJson(value)) : undefined;
}

const hasOwnText = (value: object): boolean =>
  typeof value.toString === 'function' && value.toString !== Object.prototype.toString;
