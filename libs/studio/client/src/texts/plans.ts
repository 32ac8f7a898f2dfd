import { number } from './lists.js';

/** By the action of a plan. */
const DONE: Readonly<Record<string, string>> = {
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
} as const;
