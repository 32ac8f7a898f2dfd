import { encodeBase64 } from './base64.js';
import { objectKind } from './object-kind.js';
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

/** What `toString` says, unless that is only `[object Object]`. */
function ownText(value: { toString?(): string }): string | undefined {
  return value.toString === Object.prototype.toString ? undefined : value.toString?.();
}
