import { bailOut } from './bail-out.js';
import type { Run } from './run.js';

/**
 * A list to work on: a copy without holes, which lists have not that crossed into the sandbox, and of the plain kind, so
 * that no method of a class of the host is called.
 */
export function listOf(value: unknown, run: Run): unknown[] {
  if (!Array.isArray(value)) return bailOut();
  run.spend(value.length);
  const list: unknown[] = [];
  for (let i = 0; i < value.length; i++) list.push(value[i]);
  return list;
}
