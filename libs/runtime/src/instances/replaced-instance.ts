import type { JournalChunk, WorkflowState } from '@waymark/core';
import { InstanceExecutingError, InstanceMovedOnError } from '../services/instance-errors.js';

/** Where an instance stands: by these, its executions and the entries of its journal get their ids. */
type Numbers = Pick<WorkflowState, 'executionLogSequence' | 'activityExecutionCount'>;

/**
 * The same state, with numbers that nothing of the file has yet. Files of Elsa count neither, and the first execution here would take the
 * place of one of the file.
 */
export function numbered(state: WorkflowState, { log, records }: JournalChunk): WorkflowState {
  const prefix = `${state.id}-`;
  const numberOf = ({ id }: { readonly id: string }) =>
    id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)) ? Number(id.slice(prefix.length)) : 0;
  const { executionLogSequence, activityExecutionCount } = state;
  return {
    ...state,
    executionLogSequence: largest(executionLogSequence, log, ({ sequence }) => sequence),
    activityExecutionCount: largest(
      largest(activityExecutionCount ?? 0, records, numberOf),
      state.activityExecutionContexts,
      numberOf,
    ),
  };
}

/** Not by spreading: a journal may have a hundred thousand entries. */
const largest = <T>(first: number, items: readonly T[], numberOf: (item: T) => number): number =>
  items.reduce((most, item) => Math.max(most, numberOf(item)), first);

/**
 * The same state, counting on from what the instance here has had. What it has done since the file was written is in its journal: under the
 * same numbers, the entries of what it does next would replace that one by one.
 */
export function countingOn(state: WorkflowState, before: Numbers): WorkflowState {
  return {
    ...state,
    executionLogSequence: Math.max(state.executionLogSequence, before.executionLogSequence),
    activityExecutionCount: Math.max(state.activityExecutionCount, before.activityExecutionCount ?? 0),
  };
}

/** True if the instance has done nothing since the file was written, so that importing it takes nothing back. What was edited may differ. */
export function isStillThere(before: WorkflowState, file: WorkflowState): boolean {
  return (
    before.updatedAt.getTime() === file.updatedAt.getTime() &&
    before.executionLogSequence === file.executionLogSequence &&
    (before.activityExecutionCount ?? 0) === file.activityExecutionCount
  );
}

/**
 * An instance that has ended may be replaced, as in the reference. One that runs has sent messages and started children since.
 * @param file `numbered`
 * @throws InstanceExecutingError, InstanceMovedOnError
 */
export function requireReplaceable(before: WorkflowState, file: WorkflowState, replace: boolean): void {
  if (before.isExecuting) throw new InstanceExecutingError(file.id);
  if (before.status === 'Running' && !replace && !isStillThere(before, file)) throw new InstanceMovedOnError(file.id);
}
