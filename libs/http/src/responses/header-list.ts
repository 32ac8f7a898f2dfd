import type { HeaderValue } from './http-response-writer.js';

/** Headers as an activity's input has them, one by one; those without a value are left out. */
export function headerList(headers: Readonly<Record<string, unknown>> | null | undefined): [string, HeaderValue][] {
  if (!headers) return [];
  return Object.entries(headers).flatMap(([name, value]): [string, HeaderValue][] =>
    value === null || value === undefined
      ? []
      : [[name, Array.isArray(value) ? value.map(String) : String(value as string)]],
  );
}
