/** With zeros before it. */
export const digits = (value: number, count = 2): string => String(value).padStart(count, '0');

/** As a field for date and time wants it: in the reader's zone, to the minute. Years have four digits, or the field would be emptied. */
export const localOf = (date: Date): string =>
  `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}T${digits(date.getHours())}:${digits(date.getMinutes())}`;

/** What such a field holds; `undefined` while it is not complete. */
export function momentIn(text: string): Date | undefined {
  const date = new Date(text === '' ? Number.NaN : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
