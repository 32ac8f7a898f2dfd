import { REDACTED } from './redact-urls.js';

/** A member with a text or a number; what it stands in need not be complete, as texts are cut. */
const MEMBER = /"([^"\\]{1,100})"(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[^\s,}\]]*)/gs;

/**
 * JSON in a text, such as a body that nothing has asked to be parsed, without the values of sensitive members. Other texts are
 * returned as they are.
 */
export function redactJsonText(text: string, isSensitive: (name: string) => boolean): string {
  const first = text.charCodeAt(0);
  // A bracket, a brace, or white space before one.
  if (first !== 0x7b && first !== 0x5b && (first > 0x20 || !/^\s*[[{]/.test(text))) return text;
  return text.replace(MEMBER, (member, name: string, colon: string) =>
    isSensitive(name) ? `"${name}"${colon}"${REDACTED}"` : member,
  );
}
