import type { InputDefinition, WorkflowDefinition } from '@waymark/core';
import type { DefinitionDraft } from '@waymark/runtime';
import { isObject, memberOf } from '../requests/json-values.js';

type Completed = (
  draft: DefinitionDraft,
  latest: Pick<WorkflowDefinition, 'options' | 'inputs' | 'isSystem'>,
) => DefinitionDraft;

/** Clients of Elsa write these in any case, as null where nothing was chosen. Other JSON of a definition leaves out what is not set. */
const OPTIONS_OF_ELSA = ['activationStrategyType', 'usableAsActivity', 'activityCategory', 'incidentStrategyType'];

/**
 * Clients of Elsa read a definition into classes of their own, and save what these have: each save of Elsa Studio would remove the members
 * that only this server knows. They stay as they are in the latest version. For other clients, what is not mentioned is removed.
 * @param sent the model as the client has sent it
 * @returns what completes the draft that was made of it, if it is from a client of Elsa
 */
export function keepUnmentioned(sent: object): Completed | undefined {
  const options = memberOf(sent, 'options');
  const inputs = listOf(memberOf(sent, 'inputs'));
  if (!isOfElsa(options, inputs)) return undefined;
  return (draft, latest) => ({
    ...draft,
    isSystem: draft.isSystem ?? latest.isSystem,
    options: { ...kept(latest.options, ['strictConversions'], options), ...draft.options },
    inputs: draft.inputs && withUnmentioned(draft.inputs, latest.inputs, inputs),
  });
}

/** The options alone are not enough: other clients write them as well where each of them is set. */
function isOfElsa(options: unknown, inputs: readonly unknown[]): boolean {
  return OPTIONS_OF_ELSA.every((name) => memberOf(options, name) !== undefined) && [options, ...inputs].some(hasNull);
}

const hasNull = (value: unknown): boolean => isObject(value) && Object.values(value).includes(null);

/** By name: one that was renamed is another one. */
function withUnmentioned(
  inputs: readonly InputDefinition[],
  before: readonly InputDefinition[],
  sent: readonly unknown[],
): InputDefinition[] {
  const byName = new Map(before.map((input) => [input.name, input]));
  return inputs.map((input, i) => {
    const known = byName.get(input.name);
    if (!known) return input;
    // A default of another type would be refused at each start.
    const isOfType = known.type === input.type && known.isArray === input.isArray;
    return { ...kept(known, isOfType ? ['isRequired', 'defaultValue'] : ['isRequired'], sent[i]), ...input };
  });
}

function kept<T extends object, K extends keyof T & string>(
  before: T,
  names: readonly K[],
  sent: unknown,
): Partial<Pick<T, K>> {
  const isKept = (name: K) => before[name] !== undefined && memberOf(sent, name) === undefined;
  return Object.fromEntries(names.filter(isKept).map((name) => [name, before[name]])) as Partial<Pick<T, K>>;
}

function listOf(value: unknown): readonly unknown[] {
  const list = isObject(value) ? value.$values : value;
  return Array.isArray(list) ? list : [];
}
