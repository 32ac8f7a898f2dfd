/** A text, or a format, that .NET would refuse; scripts see it under the name that it has there. */
export class FormatError extends Error {
  override readonly name = 'FormatException';
}

/** Longer formats are never meant, and cost time to read. */
const MAX_LENGTH = 500;

/** @throws FormatError for a format that is not text, or too long */
export function requireFormat(format: unknown): string {
  if (typeof format === 'string' && format.length <= MAX_LENGTH) return format;
  throw new FormatError(`A format is a string of at most ${MAX_LENGTH} characters.`);
}
