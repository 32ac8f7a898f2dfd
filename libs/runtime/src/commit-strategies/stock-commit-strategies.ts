import {
  type ActivityCommitStrategy,
  type ActivityLifetimeEvent,
  periodicCommits,
  type WorkflowCommitStrategy,
  type WorkflowLifetimeEvent,
} from './commit-strategy.js';

const PERIOD_MS = 10_000;

const on = (event: WorkflowLifetimeEvent | ActivityLifetimeEvent, displayName: string): WorkflowCommitStrategy => ({
  name: event,
  displayName,
  decide: (happening) => (happening === event ? 'Commit' : 'Default'),
});

/** Names and titles are those of Elsa 3. */
export const STOCK_WORKFLOW_STRATEGIES: readonly WorkflowCommitStrategy[] = [
  on('WorkflowExecuting', 'Commit Before Workflow Execution'),
  on('WorkflowExecuted', 'Commit After Workflow Execution'),
  on('ActivityExecuting', 'Commit Before Activity Execution'),
  on('ActivityExecuted', 'Commit After Activity Execution'),
  periodicCommits('Periodic', 'Every 10 seconds', PERIOD_MS),
];

export const STOCK_ACTIVITY_STRATEGIES: readonly ActivityCommitStrategy[] = [
  { name: 'CommitAlways', displayName: 'Commit Before And After', decide: () => 'Commit' },
  { name: 'CommitNever', displayName: 'Commit Later', decide: () => 'Skip' },
  {
    name: 'Executing',
    displayName: 'Commit Before',
    decide: (event) => (event === 'ActivityExecuting' ? 'Commit' : 'Default'),
  },
  {
    name: 'Executed',
    displayName: 'Commit After',
    decide: (event) => (event === 'ActivityExecuted' ? 'Commit' : 'Default'),
  },
];
