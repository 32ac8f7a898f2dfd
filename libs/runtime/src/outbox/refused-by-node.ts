import { isWaymarkError } from '@waymark/core';

/** It is too old to read what is stored, or has no keys, or not the one that this was encrypted with. */
const UNREADABLE_HERE = ['WM2053', 'WM3043', 'WM3044'];
/** It is paused or shuts down, or has not the code of the version. */
const REFUSALS = ['WM3005', 'WM2040', ...UNREADABLE_HERE];

/** Whether an error says nothing about the message, since it is this node that cannot serve it now: another one may. */
export function isRefusedByNode(error: unknown): boolean {
  return REFUSALS.some((code) => isWaymarkError(error, code));
}

/** Whether this node cannot read what is stored, and another one may: of a newer build, or with the key. */
export function isUnreadableHere(error: unknown): boolean {
  return UNREADABLE_HERE.some((code) => isWaymarkError(error, code));
}
