import type { StoreOutages } from '../outages/store-outages.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { MessageLeases } from './message-leases.js';

/** Faults of the store with one message, each of them when the store was back, until others get its place for a while. */
const FAULTS_IN_A_ROW = 5;
const GIVEN_BACK_MS = 5_000;

/**
 * Faults of the store say nothing about a message: it is kept here until the store is back, so that no node counts them, and
 * then continues unless another node has it by now. After several faults in a row it is given back, so that others get its place.
 * @param postpone gives it back for that time, in milliseconds
 */
export function throughFaults(
  outages: StoreOutages,
  leases: MessageLeases,
  { id }: OutboxMessage,
  task: () => Promise<void>,
  postpone: (ms: number) => Promise<void>,
): Promise<void> {
  return outages.through(async (faults) => {
    if (faults > 0 && !(await leases.renewed(id))) return;
    if (leases.isLost(id)) return;
    if (faults >= FAULTS_IN_A_ROW) await postpone(GIVEN_BACK_MS);
    else await task();
  });
}
