import { useQueryClient } from '@tanstack/react-query';
import {
  deadLettersKey,
  deleteLetter,
  deleteLetters,
  type LetterBulkAnswer,
  type LetterSource,
  replayLetter,
  replayLetters,
} from '../api/dead-letters.js';
import { NotDone } from '../api/api-error.js';
import { instancesKey } from '../api/instances.js';
import { Confirm } from '../parts/confirm.js';
import { notify, notifyPlan } from '../parts/toasts.js';
import { useShown } from '../parts/use-shown.js';
import { deadLetterTexts as texts } from '../texts/dead-letters.js';

export type LetterAction = 'replay' | 'delete';

/** What is to be done with which. */
export interface LetterTask {
  readonly action: LetterAction;
  readonly source: LetterSource;
  readonly ids: readonly string[];
}

interface DialogProps extends LetterTask {
  readonly onClose: () => void;
  readonly onDone?: (() => void) | undefined;
}

/** The question before it, which says what it will do. */
export function LetterDialog({ action, source, ids, onClose, onDone }: DialogProps) {
  const client = useQueryClient();
  const isShown = useShown();
  const own = texts[action];
  const run = async () => {
    const answer = await perform(action, source, ids);
    const { planId, failures = [] } = answer;
    if (planId !== undefined) notifyPlan(planId);
    if (failures.length === 0) {
      if (isShown()) onDone?.();
      if (planId === undefined) notify(own.done(answer.replayed ?? answer.deleted ?? 0));
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: deadLettersKey }),
      client.invalidateQueries({ queryKey: instancesKey }),
    ]);
    if (failures.length > 0)
      throw new NotDone(
        texts.failures(failures.length),
        failures.flatMap(({ message }) => message ?? []),
      );
  };
  return (
    <Confirm
      title={own.title(ids.length.toLocaleString('en'), ids.length === 1)}
      action={own.submit}
      isDangerous={action === 'delete'}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{own.leads[source]}</p>
    </Confirm>
  );
}

/** One by its own route: that says what is in the way. */
async function perform(action: LetterAction, source: LetterSource, ids: readonly string[]): Promise<LetterBulkAnswer> {
  if (ids.length === 1) {
    const [id] = ids as [string];
    await (action === 'replay' ? replayLetter(source, id) : deleteLetter(source, id));
    return action === 'replay' ? { replayed: 1 } : { deleted: 1 };
  }
  return action === 'replay' ? replayLetters(source, ids) : deleteLetters(source, ids);
}
