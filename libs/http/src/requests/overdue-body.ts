import type { IncomingMessage } from 'node:http';
import type { WaymarkError } from '@waymark/core';

const OVERDUE = Symbol('waymark.http.overdue');
type Overdue = IncomingMessage & { [OVERDUE]?: WaymarkError };

/** Notes for later readers why the body could not be read to its end: it was too slow, or there was no memory for it. */
export function noteOverdue(raw: IncomingMessage, error: WaymarkError): void {
  (raw as Overdue)[OVERDUE] = error;
}

export const overdueOf = (raw: IncomingMessage): WaymarkError | undefined => (raw as Overdue)[OVERDUE];
