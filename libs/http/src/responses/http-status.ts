import { createDefaultTypeRegistry } from '@waymark/core/adapter';

const { values = {} } = createDefaultTypeRegistry().resolve('HttpStatusCode') ?? {};

/** Choices of a status code, as an editor shows them: where two names share a number, the usual one. */
export const STATUS_CODE_ITEMS = Object.values(values).map((code) => {
  const name = Object.keys(values).find((n) => values[n] === code)!;
  return { text: name, value: name };
});

/** Number of a status code given by name or number; 200 for none. @throws RangeError for what cannot end an exchange */
export function statusCodeOf(status: unknown): number {
  if (status === null || status === undefined) return 200;
  const code = typeof status === 'number' ? status : (values[String(status as string)] ?? Number(status));
  if (Number.isInteger(code) && code >= 200 && code <= 599) return code;
  throw new RangeError(
    `HTTP status '${String(status as string)}' cannot be the status of a response: use a number from 200 to 599.`,
  );
}
