import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { instancesKey } from '../api/instances.js';
import { newKey } from '../api/new-key.js';
import { fireSchedule, pauseSchedule, resumeSchedule, type Schedule, schedulesKey } from '../api/schedules.js';
import { Confirm } from '../parts/confirm.js';
import { notify } from '../parts/toasts.js';
import { scheduleTexts as texts } from '../texts/schedules.js';

export type ScheduleAction = 'fire' | 'pause' | 'resume';

/** What is to be done with which. */
export interface ScheduleTask {
  readonly action: ScheduleAction;
  readonly schedule: Schedule;
  /** The name of its workflow, or its own. */
  readonly workflow: string;
}

interface DialogProps extends ScheduleTask {
  readonly onFired: (workflowInstanceId: string) => void;
  /** The user may not. */
  readonly onRefused: () => void;
  readonly onClose: () => void;
}

/** The question before it, which says what it will do. */
export function ScheduleDialog({ action, schedule, workflow, onFired, onRefused, onClose }: DialogProps) {
  const client = useQueryClient();
  // One for the dialog: what is sent again after a lost answer starts no second instance.
  const [requestKey] = useState(() => `studio-${newKey()}`);
  const { id, definitionId, kind, origin } = schedule;
  const { title, lead } = texts.questions[action];
  // There is no other trace of it than the schedule.
  const isKept = origin === 'Application' && kind === 'StartAt';
  const perform = async (): Promise<void> => {
    if (action === 'fire') {
      const { workflowInstanceId } = await fireSchedule(id, requestKey);
      onFired(workflowInstanceId);
      return;
    }
    await (action === 'pause' ? pauseSchedule(id) : resumeSchedule(id));
    notify(texts.done[action]);
  };
  const run = async () => {
    try {
      await perform();
    } catch (error) {
      if (toApiError(error).status === 403) onRefused();
      throw error;
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: schedulesKey }),
      client.invalidateQueries({ queryKey: instancesKey }),
    ]);
  };
  return (
    <Confirm title={title(workflow)} action={texts.actions[action]} onConfirm={run} onClose={onClose}>
      <p>{lead({ isStart: definitionId !== undefined, isKept })}</p>
    </Confirm>
  );
}
