import type { ActivityExecutionContextState, WorkflowState } from '@waymark/core';

/** The list of executions in a state. */
export const CONTEXTS = 'activityExecutionContexts' satisfies keyof WorkflowState;
/** The variables that an execution declares. */
export const VARIABLES = 'dynamicVariables' satisfies keyof ActivityExecutionContextState;

/** What the state is called in an error. */
export const PATH = 'instance.state';

/** With fewer lists of variables that are equal there is nothing to gain by writing them once. */
export const LEAST_REPEATS = 16;
