import { session } from '../../api/session.js';
import type { Saver } from './saver.js';

/** Of pages that were left, by definition: one may still have something to save. */
const savers = new Map<string, Saver>();

let { person } = session;
session.subscribe(() => {
  if (session.person === person) return;
  person = session.person;
  // What one person has drawn is not saved by the next.
  for (const saver of savers.values()) void saver.stop();
  savers.clear();
});

/** When a page is left. @param begunBy the person who has drawn there */
export function leaveBehind(definitionId: string, saver: Saver, begunBy: number): void {
  if (begunBy !== session.person) return void saver.stop();
  saver.end();
  savers.set(definitionId, saver);
}

/** When a page is opened again: the saver of before would be taken for another person. @returns when what it has sent is stored */
export async function takeOver(definitionId: string): Promise<void> {
  const saver = savers.get(definitionId);
  savers.delete(definitionId);
  await saver?.stop();
}
