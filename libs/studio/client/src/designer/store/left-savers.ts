import { NotDone } from '../../api/api-error.js';
import { session } from '../../api/session.js';
import { notify, notifyError } from '../../parts/toasts.js';
import { designerTexts } from '../../texts/designer.js';
import type { DesignStore } from './design-store.js';
import type { Saver } from './saver.js';
import { tellUnsaved } from './tell-unsaved.js';

const texts = designerTexts.leftUnsaved;

interface Left {
  readonly saver: Saver;
  readonly stopTelling: () => void;
}

/** Of pages that were left, by definition: one may still have something to save. */
const savers = new Map<string, Left>();

function stop({ saver, stopTelling }: Left): Promise<void> {
  stopTelling();
  return saver.stop();
}

let { person } = session;
session.subscribe(() => {
  if (session.person === person) return;
  person = session.person;
  // What one person has drawn is not saved by the next.
  for (const left of savers.values()) void stop(left);
  savers.clear();
});

/** When a page is left. @param begunBy the person who has drawn there */
export function leaveBehind(saver: Saver, store: DesignStore, begunBy: number): void {
  if (begunBy !== session.person) return void saver.stop();
  const { definitionId, name } = store.design;
  const title = name || definitionId;
  const stopTelling = tellUnsaved(store, {
    unsaved: (why) =>
      notifyError(new NotDone(texts[why.kind](title), why.kind === 'refused' ? [why.error.message] : [])),
    saved: () => notify(texts.saved(title)),
  });
  saver.end();
  savers.set(definitionId, { saver, stopTelling });
}

/** When a page is opened again: the saver of before would be taken for another person. @returns when what it has sent is stored */
export async function takeOver(definitionId: string): Promise<void> {
  const left = savers.get(definitionId);
  savers.delete(definitionId);
  if (left) await stop(left);
}
