const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)?.*@/is;

/**
 * Returns what an error may show of a text that should be a URL: the part after its last `@`, even if it cannot be parsed. The usual reason
 * for that is a password in which `/` or `@` is not encoded.
 */
export const withoutCredentials = (text: string): string => text.replace(CREDENTIALS, '$1…@');
