const GUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;
/** .NET also writes and reads GUIDs in braces and parentheses. */
const WRAPPED = /^(?:\{(.*)\}|\((.*)\))$/;

/** A GUID in the one form kept in memory: lower case with dashes. `undefined` when the text is not a GUID. */
export function parseGuid(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  const wrapped = WRAPPED.exec(trimmed);
  const match = GUID.exec(wrapped?.[1] ?? wrapped?.[2] ?? trimmed);
  return match?.slice(1).join('-');
}
