import type { ActivityExecutionContextState, WorkflowState } from '@waymark/core';
import { serialize } from '../rows/stored-text.js';

const CONTEXTS = 'activityExecutionContexts' satisfies keyof WorkflowState;
const VARIABLES = 'dynamicVariables' satisfies keyof ActivityExecutionContextState;

/** With fewer there is nothing to gain. */
const LEAST_REPEATS = 16;

/** How a text ends that has notes beside its JSON. A state has dates, so it has notes. */
const END = ',"v":1}}';

/**
 * The text of a state. Ten thousand branches of a loop declare the same variables; what they share is written once, with a
 * note of where else it stands, which the codec (superjson) has always read.
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export function stateText(state: WorkflowState): string {
  const path = 'instance.state';
  const firstAt = new Map<unknown, number>();
  const repeats = new Map<number, number[]>();
  let count = 0;
  const contexts = state.activityExecutionContexts;
  for (let index = 0; index < contexts.length; index++) {
    const variables = contexts[index]!.dynamicVariables;
    if (!variables?.length) continue;
    const first = firstAt.get(variables);
    if (first === undefined) firstAt.set(variables, index);
    else {
      const known = repeats.get(first);
      if (known) known.push(index);
      else repeats.set(first, [index]);
      count++;
    }
  }
  if (count < LEAST_REPEATS) return serialize(state, path);
  const written = [...contexts] as object[];
  for (const indices of repeats.values())
    for (const index of indices) written[index] = { ...written[index], [VARIABLES]: null };
  const text = serialize({ ...state, [CONTEXTS]: written }, path);
  if (!text.endsWith(END)) return serialize(state, path);
  const equal = Object.fromEntries([...repeats].map(([first, others]) => [pathOf(first), others.map(pathOf)]));
  return `${text.slice(0, -END.length)},"referentialEqualities":${JSON.stringify(equal)}${END}`;
}

function pathOf(index: number): string {
  return `${CONTEXTS}.${index}.${VARIABLES}`;
}
