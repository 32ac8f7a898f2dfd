import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw, SkipForward } from 'lucide-react';
import { useState } from 'react';
import { NotDone } from '../api/api-error.js';
import { type Alteration, alterInstances } from '../api/alterations.js';
import { type Instance, instancesKey } from '../api/instances.js';
import { Confirm } from '../parts/confirm.js';
import { notify, notifyError } from '../parts/toasts.js';
import { instanceTexts } from '../texts/instances.js';
import { OneInstance } from '../parts/one-instance.js';

const texts = instanceTexts.page;

interface RepairProps {
  readonly instance: Instance;
  /** Of the activity. */
  readonly name: string;
  readonly activityInstanceId: string;
}

/** The ways on from an activity that failed, where it is shown: run it again, or continue without it. */
export function RepairActivity({ instance, name, activityInstanceId }: RepairProps) {
  const [question, setQuestion] = useState<'retry' | 'skip'>();
  const [outcome, setOutcome] = useState('Done');
  const client = useQueryClient();
  const alter = async (alteration: Alteration, done: string) => {
    const { results } = await alterInstances([instance.id], [alteration]);
    await client.invalidateQueries({ queryKey: instancesKey });
    const refused = results.filter(({ isSuccessful }) => !isSuccessful);
    const reasons = refused.flatMap(({ log }) => log?.logEntries?.map(({ message }) => message) ?? []);
    if (refused.length > 0) throw new NotDone(texts.refused, reasons);
    // Another person, or this one with an answer that was lost, has repaired it: it may run at this moment. The question goes with the
    // failure that it is about, and could not show it.
    if (results.some(({ log }) => log?.logEntries?.length === 0)) notifyError(new NotDone(texts.repaired(name)));
    else notify(done);
  };
  const close = () => setQuestion(undefined);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<RotateCcw size={12} />}
        aria-label={texts.retryHere(name)}
        onClick={() => setQuestion('retry')}
      >
        {instanceTexts.actions.retry}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<SkipForward size={12} />}
        aria-label={texts.skipHere(name)}
        onClick={() => setQuestion('skip')}
      >
        {instanceTexts.actions.skip}
      </Button>
      {question === 'retry' && (
        <Confirm
          title={texts.retryHere(name)}
          action={instanceTexts.actions.retry}
          onConfirm={() =>
            alter({ type: 'ScheduleActivity', activityInstanceId, onlyFaulted: true }, instanceTexts.retry.done(1))
          }
          onClose={close}
        >
          <OneInstance instance={instance} />
          <p>{texts.retryHereLead(name)}</p>
        </Confirm>
      )}
      {question === 'skip' && (
        <Confirm
          title={texts.skipHere(name)}
          action={instanceTexts.actions.skip}
          isDisabled={outcome.trim() === ''}
          onConfirm={() =>
            alter(
              { type: 'SkipActivity', activityInstanceId, onlyFaulted: true, outcomes: [outcome.trim()] },
              texts.skipped,
            )
          }
          onClose={close}
        >
          <OneInstance instance={instance} />
          <p>{texts.skipLead(name)}</p>
          <TextInput
            data-autofocus
            label={texts.skipOutcome}
            value={outcome}
            onChange={(event) => setOutcome(event.currentTarget.value)}
          />
        </Confirm>
      )}
    </>
  );
}
