import { isWaymarkError } from '@waymark/core';

/** It is paused or shuts down, has not the code of the version, or is too old to read what is stored. */
const REFUSALS = ['WM3005', 'WM2040', 'WM2053'];

/** Whether an error says nothing about the message, since it is this node that cannot serve it now: another one may. */
export function isRefusedByNode(error: unknown): boolean {
  return REFUSALS.some((code) => isWaymarkError(error, code));
}
