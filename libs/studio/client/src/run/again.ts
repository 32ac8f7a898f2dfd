import type { ArgumentJson } from '../api/definitions.js';
import type { Instance } from '../api/instances.js';
import { isKept } from '../api/storage.js';

/** What the API shows in the place of a secret. */
const REDACTED = '(redacted)';

export interface Again {
  readonly input: Readonly<Record<string, unknown>>;
  /** Names of inputs that are not known: not kept, or hidden. */
  readonly missing: readonly string[];
}

/** The input of an instance as far as it can be sent once more, by the names that what is started now declares. */
export function inputOf({ workflowState }: Pick<Instance, 'workflowState'>, declared: readonly ArgumentJson[]): Again {
  // The names of a start count in any case.
  const given = new Map(Object.entries(workflowState.input).map(([name, value]) => [name.toLowerCase(), value]));
  const input: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const { name, displayName, storageDriverType } of declared) {
    const value = given.get(name.toLowerCase());
    if (value === undefined ? !isKept(storageDriverType) : isHidden(value)) missing.push(displayName || name);
    else if (value !== undefined) input[name] = value;
  }
  return { input, missing };
}

/** Wherever it stands: sent as it is shown, the placeholder would be taken for the secret. */
const isHidden = (value: unknown): boolean => JSON.stringify(value)?.includes(REDACTED) === true;
