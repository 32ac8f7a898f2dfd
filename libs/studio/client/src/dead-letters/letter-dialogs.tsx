import { useQueryClient } from '@tanstack/react-query';
import {
  deadLettersKey,
  deleteLetter,
  deleteLetters,
  type LetterBulkAnswer,
  type LetterSelection,
  type LetterSource,
  replayLetter,
  replayLetters,
} from '../api/dead-letters.js';
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
  readonly selection: LetterSelection;
  readonly count: number;
}

interface DialogProps extends LetterTask {
  readonly onClose: () => void;
  readonly onDone?: (() => void) | undefined;
}

/** The question before it, which says what it will do. */
export function LetterDialog({ action, source, selection, count, onClose, onDone }: DialogProps) {
  const client = useQueryClient();
  const isShown = useShown();
  const own = texts[action];
  const run = async () => {
    const answer = await perform(action, source, selection);
    if (isShown()) onDone?.();
    const { planId, failures = [] } = answer;
    if (planId !== undefined) notifyPlan(planId);
    else
      notify(
        own.done(answer.replayed ?? answer.deleted ?? 0),
        failures.length > 0 ? texts.failures(failures.length) : undefined,
      );
    await Promise.all([
      client.invalidateQueries({ queryKey: deadLettersKey }),
      client.invalidateQueries({ queryKey: instancesKey }),
    ]);
  };
  return (
    <Confirm
      title={own.title(count.toLocaleString('en'), count === 1)}
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
async function perform(
  action: LetterAction,
  source: LetterSource,
  selection: LetterSelection,
): Promise<LetterBulkAnswer> {
  if ('ids' in selection && selection.ids.length === 1) {
    const [id] = selection.ids as [string];
    await (action === 'replay' ? replayLetter(source, id) : deleteLetter(source, id));
    return action === 'replay' ? { replayed: 1 } : { deleted: 1 };
  }
  return action === 'replay' ? replayLetters(source, selection) : deleteLetters(source, selection);
}
