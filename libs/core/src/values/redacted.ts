/** Text that replaces secrets. */
export const REDACTED = '(redacted)';
