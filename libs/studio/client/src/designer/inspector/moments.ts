import { digits, localOf } from '../../parts/local-moment.js';

const WRITTEN = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,7})?)?( ?(Z|[+-]\d{2}:?\d{2}))?)?$/i;

/** What a text says as the engine reads it: without an offset it is UTC. `undefined` for other texts. */
export function momentOf(text: string): Date | undefined {
  const found = WRITTEN.exec(text.trim());
  if (!found) return undefined;
  const [whole, time, , fraction = '', offset] = found;
  // More digits than a date here can hold.
  const written = whole.replace(fraction, fraction.slice(0, 4)).replace(' ', 'T').replace(/ /g, '');
  const date = new Date(time !== undefined && offset === undefined ? `${written}Z` : written);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** With the offset that the reader's zone has then, so that it is the same moment for everybody. */
export function offsetText(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${localOf(date)}:00${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}
