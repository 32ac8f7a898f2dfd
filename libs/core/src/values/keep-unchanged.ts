import { inAnyCasing, isInAnyCasing } from './any-casing.js';
import { objectKind } from './object-kind.js';
import { isPlainObject, setMember } from './plain-object.js';
import { NOT_SERIALIZABLE, toPlainJson } from './to-plain-json.js';

/**
 * What an editor sends back of a value that was shown to it as plain JSON: what is as it was shown stays what it is, such as a Date in an
 * object of which another member was changed. Everything else is as it was sent.
 */
export function keepUnchanged(before: unknown, sent: unknown): unknown {
  if (typeof before !== 'object' || before === null) return isSame(toPlainJson(before), sent) ? before : sent;
  // A back reference, or what has no JSON form.
  if (sent === NOT_SERIALIZABLE) return before;
  switch (objectKind(before)) {
    case 'array':
      return Array.isArray(sent) ? keepItems(before as unknown[], sent) : sent;
    case 'plain':
      return isPlainObject(sent) ? keepMembers(before as Record<string, unknown>, sent) : sent;
    default:
      return isSame(toPlainJson(before), sent) ? before : sent;
  }
}

const keepItems = (before: readonly unknown[], sent: readonly unknown[]): unknown[] =>
  sent.map((item, index) => (index < before.length ? keepUnchanged(before[index], item) : item));

function keepMembers(before: Record<string, unknown>, sent: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(sent))
    setMember(kept, name, Object.hasOwn(before, name) ? keepUnchanged(before[name], member) : member);
  return isInAnyCasing(before) ? inAnyCasing(kept) : kept;
}

/** @param shown plain JSON, whatever was sent */
function isSame(shown: unknown, sent: unknown): boolean {
  if (typeof shown !== 'object' || shown === null) return Object.is(shown, sent);
  if (Array.isArray(shown))
    return Array.isArray(sent) && shown.length === sent.length && shown.every((item, i) => isSame(item, sent[i]));
  if (!isPlainObject(sent)) return false;
  const names = Object.keys(shown);
  return (
    names.length === Object.keys(sent).length &&
    names.every((name) => Object.hasOwn(sent, name) && isSame((shown as Record<string, unknown>)[name], sent[name]))
  );
}
