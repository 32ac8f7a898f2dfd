import type { IncomingMessage } from 'node:http';
import type { WaymarkError } from '@waymark/core';

const OVERDUE = Symbol('waymark.http.overdue');
type Overdue = IncomingMessage & { [OVERDUE]?: WaymarkError };

/** For what reads the body next: some of it has been read, and the rest did not come in time, or found no memory. */
export function noteOverdue(raw: IncomingMessage, error: WaymarkError): void {
  (raw as Overdue)[OVERDUE] = error;
}

export const overdueOf = (raw: IncomingMessage): WaymarkError | undefined => (raw as Overdue)[OVERDUE];
