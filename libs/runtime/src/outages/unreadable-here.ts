import { isWaymarkError } from '@waymark/core';

/** It is too old to read what is stored, or has no keys, or not the one that this was encrypted with. */
export const UNREADABLE_HERE = ['WM2053', 'WM3043', 'WM3044'];

/** Whether this node cannot read what is stored, and another one may: of a newer build, or with the key. */
export function isUnreadableHere(error: unknown): boolean {
  return UNREADABLE_HERE.some((code) => isWaymarkError(error, code));
}
