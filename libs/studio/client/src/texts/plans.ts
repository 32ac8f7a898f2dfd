import { number } from './lists.js';

/** By the action of a plan. */
const DONE: Readonly<Record<string, string>> = {
  Alter: 'altered',
  Cancel: 'cancelled',
  Delete: 'deleted',
  Publish: 'published',
  Refresh: 'refreshed',
  Replay: 'replayed',
  Retract: 'retracted',
  Retry: 'retried',
  Update: 'updated',
};

const doneBy = (action: string): string => DONE[/^[A-Z][a-z]+/.exec(action)?.[0] ?? ''] ?? 'done';

const actionName = (action: string): string =>
  action.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Work on many that the server continues with after it was asked for. */
export const planTexts = {
  begun: 'There are many: the server does it in the background.',
  progress: 'Progress',
  running: (action: string, done: number, of: number, isAll: boolean) =>
    `${number(done)} of ${number(of)}${isAll ? '' : '+'} ${doneBy(action)} …`,
  ended: (action: string, changed: number, isStopped: boolean) =>
    `${isStopped ? 'Stopped. ' : ''}${number(changed)} ${doneBy(action)}.`,
  failed: (count: number, message: string | undefined) =>
    `${number(count)} could not be changed${message ? `: ${message}` : '.'}`,
  stop: 'Stop',
  list: {
    title: 'Work in the background',
    none: 'Nothing was asked for that is too much for one request.',
    what: 'What',
    by: (actor: string) => `asked for by ${actor}`,
    state: 'State',
    states: { Pending: 'Waits', Running: 'Runs', Completed: 'Finished', Cancelled: 'Stopped' },
    done: 'Done',
    progress: (done: number, of: number, isAll: boolean) => `${number(done)} of ${number(of)}${isAll ? '' : '+'}`,
    begun: 'Asked for',
    actions: 'Actions',
    newest: (count: number, all: string) => `The newest ${number(count)} of ${all}.`,
    /** `CancelInstances` is "Cancel instances". */
    action: actionName,
    stop: (action: string) => `Stop: ${actionName(action)}`,
  },
} as const;
