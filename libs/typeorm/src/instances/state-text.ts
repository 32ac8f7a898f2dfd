import { type WorkflowState, WorkflowSubStatus } from '@waymark/core';
import { decodeInParts } from '@waymark/core/adapter';
import { parseInLines, type Pause, serializeInLines } from '../rows/stored-lines.js';
import { serialize, serializeBeside } from '../rows/stored-text.js';
import type { ReadParts } from '../rows/value-notes.js';
import { CONTEXTS, LEAST_REPEATS, PATH, VARIABLES } from './state-names.js';

/**
 * The text of a state. Ten thousand branches of a loop declare the same variables; what they share is written once, with a
 * note of where else it stands, which the codec (superjson) has always read.
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export function stateText(state: WorkflowState): string {
  const shared = withoutRepeats(state);
  const read = readPartsOf(state);
  return (shared && serializeBeside(shared.state, PATH, shared.note, read)) ?? serialize(state, PATH, read);
}

const ALL_BUT_EXECUTIONS: ReadParts = { except: CONTEXTS };

/**
 * Expressions read the variables of executions no more once the workflow has ended, and only one that has faulted is begun again. Without the
 * note a row is some 80 bytes shorter: on SQLite, three rows of short workflows fit into a page in place of two.
 */
function readPartsOf({ subStatus }: WorkflowState): ReadParts {
  const isOver = subStatus === WorkflowSubStatus.Finished || subStatus === WorkflowSubStatus.Cancelled;
  return isOver ? ALL_BUT_EXECUTIONS : 'all';
}

/**
 * The same with pauses, for a large state that is at rest.
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export async function stateTextInLines(state: WorkflowState, pause: Pause): Promise<string> {
  const shared = withoutRepeats(state);
  const text = shared && (await serializeInLines(shared.state, PATH, pause, shared.note));
  return text ?? serializeInLines(state, PATH, pause);
}

/** What `deserialize` makes of it, with pauses. */
export async function readStateInLines(text: string, pause: Pause): Promise<WorkflowState> {
  return decodeInParts<WorkflowState>(await parseInLines(text, pause), pause);
}

interface SharedState {
  /** Each list of variables stands in it once. */
  readonly state: object;
  /** Where it stands, and where else it is to stand, as the codec notes it. */
  readonly note: string;
}

function withoutRepeats(state: WorkflowState): SharedState | undefined {
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
  if (count < LEAST_REPEATS) return undefined;
  const written = [...contexts] as object[];
  for (const indices of repeats.values())
    for (const index of indices) written[index] = { ...written[index], [VARIABLES]: null };
  const places = Object.fromEntries([...repeats].map(([first, others]) => [pathOf(first), others.map(pathOf)]));
  return { state: { ...state, [CONTEXTS]: written }, note: `"referentialEqualities":${JSON.stringify(places)}` };
}

function pathOf(index: number): string {
  return `${CONTEXTS}.${index}.${VARIABLES}`;
}
