import { isWaymarkError } from '@waymark/core';
import { UNREADABLE_HERE } from '../outages/unreadable-here.js';

/** It is paused or shuts down, or has not the code of the version. */
const REFUSALS = ['WM3005', 'WM2040', ...UNREADABLE_HERE];

/** Whether an error says nothing about the message, since it is this node that cannot serve it now: another one may. */
export function isRefusedByNode(error: unknown): boolean {
  return REFUSALS.some((code) => isWaymarkError(error, code));
}
