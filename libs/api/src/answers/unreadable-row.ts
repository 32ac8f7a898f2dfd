import type { UnreadableRow } from '@waymark/runtime';
import type { WaymarkError } from '@waymark/core';

interface MayBeUnreadable {
  readonly unreadable?: Error | undefined;
}

/** A record as its list shows it: of a damaged row, what its other columns say, and how to repair it. */
export function withUnreadable<T extends MayBeUnreadable>(
  record: T,
): Omit<T, 'unreadable'> & { unreadable?: UnreadableRow } {
  const { unreadable, ...rest } = record;
  if (!unreadable) return rest;
  const { code, message } = unreadable as WaymarkError;
  return { ...rest, unreadable: { code, message } };
}
