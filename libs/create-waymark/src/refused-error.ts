/** What was asked for cannot be done, and nothing has been changed. The message is a sentence for the user. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
