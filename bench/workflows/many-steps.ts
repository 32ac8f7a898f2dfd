import { setVariable, type WorkflowDefinitionBuilder } from '@waymark/core';

export const STEPS = 1000;

/** What each step computes, in the workflow and in the program without one. */
export function next(value: number): number {
  return value + 1;
}

/** A sequence of steps that set a variable to the result of a TypeScript function, which is the cheapest expression. */
export function describeManySteps(w: WorkflowDefinitionBuilder): void {
  const count = w.variable<number>('count', { type: 'Int32', default: 0 });
  const step = () => setVariable(count, (scope) => next(count.get(scope)));
  w.root(Array.from({ length: STEPS }, step));
}
