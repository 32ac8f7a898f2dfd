import type { ArgumentJson } from '../api/definitions.js';
import type { Instance } from '../api/instances.js';
import { isKept } from '../api/storage.js';
import { fits } from './filled-in.js';
import { schemaOf } from './input-schema.js';

/** What the API shows in the place of a secret. */
const REDACTED = '(redacted)';

export interface Again {
  readonly input: Readonly<Record<string, unknown>>;
  /** Names of inputs that are not known: not kept, or hidden. So are those that their fields cannot show, such as an Int64 of 17 digits. */
  readonly missing: readonly string[];
}

/** The input of an instance as far as it can be sent once more, by the names that what is started now declares. */
export function inputOf({ workflowState }: Pick<Instance, 'workflowState'>, declared: readonly ArgumentJson[]): Again {
  // The names of a start count in any case.
  const given = new Map(Object.entries(workflowState.input).map(([name, value]) => [name.toLowerCase(), value]));
  const input: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const one of declared) {
    const { name, displayName, storageDriverType } = one;
    const value = given.get(name.toLowerCase());
    const isUnknown = value === undefined ? !isKept(storageDriverType) : isHidden(value) || !fits(schemaOf(one), value);
    if (isUnknown) missing.push(displayName || name);
    else if (value !== undefined) input[name] = value;
  }
  return { input, missing };
}

/** Wherever it stands: sent as it is shown, the placeholder would be taken for the secret. */
const isHidden = (value: unknown): boolean => JSON.stringify(value)?.includes(REDACTED) === true;
