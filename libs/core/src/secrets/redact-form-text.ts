import { redactQuery } from './redact-urls.js';

/** What the first field of a form begins with. Names of fields are short, and code has other characters before its first `=`. */
const FIRST_FIELD = /^\s*([^\s=&?/<>"'{}()$;,]{1,100})=/;
/** Longer texts without a second field are not looked through for white space. */
const LONGEST_FIELD = 10_000;

/**
 * A text that is a form as a whole (`user=ann&password=…`), such as the content of a token request, without the values of sensitive
 * fields. Other texts are returned as they are. Values that were not encoded may have blanks, if another field follows or stands before.
 */
export function redactFormText(text: string, isSensitive: (name: string) => boolean): string {
  return isFormText(text, isSensitive) ? redactQuery(text, isSensitive) : text;
}

/** Returns true if the text looks like a form that has a field with a sensitive name, or several fields. */
export function isFormText(text: string, isSensitive: (name: string) => boolean): boolean {
  const name = FIRST_FIELD.exec(text)?.[1];
  if (name === undefined) return false;
  if (text.includes('&')) return true;
  return isSensitive(name) && text.length <= LONGEST_FIELD && !/\S\s+\S/.test(text);
}
