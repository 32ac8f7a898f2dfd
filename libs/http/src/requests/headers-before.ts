import type { HeaderValue } from '../responses/http-response-writer.js';

/** What a response has of a header already. */
type Before = HeaderValue | number | undefined;

/**
 * The value of a header of an answer beside what the application has set before: cookies are sent with its cookies, and it varies by what
 * both say. All others replace what was there.
 */
export function besideBefore(name: string, value: HeaderValue, ...before: readonly Before[]): HeaderValue {
  const lowerCase = name.toLowerCase();
  if (lowerCase !== 'set-cookie' && lowerCase !== 'vary') return value;
  const known = before.flatMap((one) => (one === undefined ? [] : one)).map(String);
  if (known.length === 0) return value;
  const all = [...known, ...[value].flat().map(String)];
  if (lowerCase === 'set-cookie') return all;
  const names = new Map(
    all
      .join(',')
      .split(',')
      .map((text) => [text.trim().toLowerCase(), text.trim()]),
  );
  names.delete('');
  return [...names.values()].join(', ');
}
