import { ContentSyntaxError, parseJson } from '@waymark/http';

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
