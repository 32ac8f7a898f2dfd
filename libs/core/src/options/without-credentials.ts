const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)?.*@/is;

/**
 * What an error may show of a text that was meant to be a URL: without what stands before its last `@`, also where it cannot be parsed.
 * A password in which `/` or `@` is not encoded is the usual reason why it cannot.
 */
export const withoutCredentials = (text: string): string => text.replace(CREDENTIALS, '$1…@');
