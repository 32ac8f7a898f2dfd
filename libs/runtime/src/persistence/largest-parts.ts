import type { WorkflowState } from '@waymark/core';
import { runSteps, runStepsInTurns, type Steps } from '@waymark/core/adapter';
import type { LargePart } from './persistence-errors.js';

const MOST = 5;
// A name may be any text: an error is stored in the state of an instance that has no room left.
const MAX_NAME = 100;

/**
 * The largest parts of a state, for the error that says it is too large.
 * @param sizeOf bytes that a value takes in the store
 */
export function largestParts(state: WorkflowState, sizeOf: (value: unknown) => number): LargePart[] {
  return runSteps(weighStepwise(state, sizeOf));
}

/** Does the same, but yields to other work in between. @param pause called after each step; its promise is awaited */
export function largestPartsInTurns(
  state: WorkflowState,
  sizeOf: (value: unknown) => number,
  pause: () => Promise<void> | undefined,
): Promise<LargePart[]> {
  return runStepsInTurns(weighStepwise(state, sizeOf), pause);
}

/** Bytes of a value after which others have their turn: one of 10 MB takes a tenth of a second. */
const LARGE = 1_000_000;
/** Executions that are weighed in one step. */
const EXECUTIONS_OF_STEP = 250;

function* weighStepwise(state: WorkflowState, sizeOf: (value: unknown) => number): Steps<LargePart[]> {
  const parts: LargePart[] = [];
  function* add(name: string, value: unknown, variableId?: string): Steps<void> {
    const bytes = sizeOf(value);
    parts.push({ name, bytes, ...(variableId === undefined ? {} : { variableId }) });
    if (bytes > LARGE) yield;
  }
  function* addAll(kind: string, values: Readonly<Record<string, unknown>> = {}, suffix = ''): Steps<void> {
    for (const [name, value] of Object.entries(values)) yield* add(`${kind} "${shortened(name)}"${suffix}`, value);
  }
  yield* addAll('input', state.input);
  yield* addAll('output', state.output);
  yield* addAll('property', state.properties);
  let executions = 0;
  for (const { scheduledActivityNodeId, properties, activityState, input } of state.activityExecutionContexts) {
    if (executions++ % EXECUTIONS_OF_STEP === 0) yield;
    const of = ` of activity "${shortened(scheduledActivityNodeId)}"`;
    const { Variables: variables = {}, ...others } = properties as { Variables?: Record<string, unknown> };
    for (const [id, value] of Object.entries(variables)) yield* add(`variable "${shortened(id)}"`, value, id);
    yield* addAll('property', others, of);
    yield* addAll('input', activityState, of);
    yield* addAll('input', input, of);
  }
  for (const name of ['bookmarks', 'incidents', 'scheduledActivities', 'completionCallbacks'] as const) {
    yield;
    yield* add(name, state[name]);
  }
  parts.sort((left, right) => right.bytes - left.bytes);
  // What has no part in it would only hide the others.
  const least = (parts[0]?.bytes ?? 0) / 100;
  return parts.slice(0, MOST).filter(({ bytes }) => bytes >= least);
}

function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
