import { InvalidScheduleArgumentError } from '@waymark/runtime';

interface Place {
  readonly dueAt: Date;
  readonly id: string;
}

/** Where a page ends, as text that goes into a URL as it is. */
export function writeCursor({ dueAt, id }: Place): string {
  return Buffer.from(JSON.stringify([dueAt.getTime(), id])).toString('base64url');
}

/** @throws InvalidScheduleArgumentError */
export function readCursor(text: string): Place {
  try {
    const [time, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const dueAt = new Date(Number(time));
    if (typeof time === 'number' && typeof id === 'string' && !Number.isNaN(dueAt.getTime())) return { dueAt, id };
  } catch {
    // Said below.
  }
  throw new InvalidScheduleArgumentError('after', 'is not a place in this list. Pass the `next` of the previous page.');
}
