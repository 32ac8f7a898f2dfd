import { isWaymarkError } from '@waymark/core';
import { ContentSyntaxError } from '@waymark/http';
import { parseJson } from '@waymark/http/adapter';

type Done = (error: Error | null, body?: unknown) => void;

/** Reads JSON for the host's own routes, so that a malformed body is answered as HTTP workflows answer it. */
export function parseJsonBody(_request: unknown, body: Buffer, done: Done): void {
  try {
    done(null, body.length === 0 ? undefined : parseJson(body.toString('utf8')));
  } catch (error) {
    done(error as Error);
  }
}

/** What a malformed body is answered; undefined for other errors. */
export function malformedBody(error: unknown): Readonly<Record<string, unknown>> | undefined {
  return error instanceof ContentSyntaxError ? error.body : undefined;
}

/** What the adapter's limit of a body is answered; undefined for other errors. Fastify and Express name the status differently. */
export function tooLargeBody(error: unknown): { readonly code: string; readonly message: string } | undefined {
  const { status, statusCode } = (error ?? {}) as { status?: unknown; statusCode?: unknown };
  if (isWaymarkError(error) || (statusCode !== 413 && status !== 413)) return undefined;
  return { code: 'WM9006', message: "The body is larger than the host's own routes read: 1 MB. Send less." };
}
