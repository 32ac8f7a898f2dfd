import { type WorkflowDefinition } from '@waymark/core';
import { checkInputs, type TypeRegistry } from '@waymark/core/adapter';
import { instanceProblems } from '../engine/instance-problems.js';
import { WorkflowInputError } from '../services/instance-errors.js';
import type { CreateInstanceRequest, RunInstanceRequest } from '../services/instance-services.js';

type Inputs = Readonly<Record<string, unknown>>;

/** What every child receives besides its inputs. */
export const PARENT_INSTANCE_INPUT = 'ParentInstanceId';

/** What a start by a schedule receives besides its inputs: the time for which it was due. */
export const SCHEDULED_AT_INPUT = 'ScheduledAt';

/** More about a start whose inputs are checked. */
export interface StartedInputsOptions {
  /**
   * If true, it comes from a stored message, which was checked when it was sent. An older node may not have done that: what a
   * definition that is not strict has always taken is taken then.
   */
  readonly isStored?: boolean;
}

/**
 * The inputs of a start, as the definition declares them. What starts a workflow by a trigger gives what the trigger has.
 * @param run absent: it is created now and run later, with the rest of its inputs
 * @returns undefined where the definition takes anything, and they stay as they are
 * @throws WorkflowInputError
 */
export function startedInputs(
  definition: WorkflowDefinition,
  request: Pick<CreateInstanceRequest, 'input'>,
  run: RunInstanceRequest | undefined,
  types: TypeRegistry,
  { isStored = false }: StartedInputsOptions = {},
): Inputs | undefined {
  if (definition.inputs.length === 0 || run?.triggerActivityId !== undefined) return undefined;
  const checked = checkInputs(definition, { ...request.input, ...run?.input }, types, {
    added: [PARENT_INSTANCE_INPUT, SCHEDULED_AT_INPUT],
    wantsAll: run !== undefined,
    onlyStrict: isStored,
    examine: instanceProblems,
  });
  if (checked && checked.problems.length > 0) throw new WorkflowInputError(definition.definitionId, checked.problems);
  return checked?.input;
}
