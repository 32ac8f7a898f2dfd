/** How values stand in columns. Times are milliseconds since 1970: portable, exact, and free of time zones. */

export const orNull = <T>(value: T | undefined): T | null => value ?? null;

export const flag = (value: boolean): number => (value ? 1 : 0);

export const time = (value: Date): number => value.getTime();

export const timeOrNull = (value: Date | null | undefined): number | null => value?.getTime() ?? null;

// Drivers give 64-bit numbers as text, as numbers, or as the mood takes them.

export const toNumber = (value: unknown): number => Number(value);

export const toFlag = (value: unknown): boolean => Number(value) !== 0;

export const toDate = (value: unknown): Date => new Date(Number(value));

export const toOptionalDate = (value: unknown): Date | undefined => (value === null ? undefined : toDate(value));

export const toText = (value: unknown): string => value as string;

export const toOptionalText = (value: unknown): string | undefined => (value === null ? undefined : (value as string));
