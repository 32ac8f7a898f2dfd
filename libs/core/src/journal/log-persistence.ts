/** Which evaluated inputs and outputs of an activity its records keep; resolved once when a graph is compiled. */
export interface LogPersistence {
  /** @param name camelCase */
  keepsInput(name: string): boolean;
  /** @param name camelCase */
  keepsOutput(name: string): boolean;
  /** Properties and journal data besides outcomes. */
  readonly keepsInternalState: boolean;
}

type Mode = 'Inherit' | 'Include' | 'Exclude';
interface Modes {
  fallback: Mode;
  inputs: ReadonlyMap<string, Mode>;
  outputs: ReadonlyMap<string, Mode>;
  internalState: Mode;
}

/**
 * Property level → activity default → workflow → application; `Inherit` everywhere means Include. Reads the current
 * form (`logPersistenceConfig`) and the older one (`logPersistenceMode`).
 * @returns undefined when everything is kept: the common case costs nothing at run time
 */
export function resolveLogPersistence(
  activity: Readonly<Record<string, unknown>>,
  workflow: Readonly<Record<string, unknown>>,
  application: Mode = 'Inherit',
): LogPersistence | undefined {
  const own = readModes(activity);
  const outer = readModes(workflow);
  if (!own && !outer && application !== 'Exclude') return undefined;
  const base = pick(own?.fallback, outer?.fallback, application);
  return {
    keepsInput: (name) => pick(own?.inputs.get(name), base) !== 'Exclude',
    keepsOutput: (name) => pick(own?.outputs.get(name), base) !== 'Exclude',
    keepsInternalState: pick(own?.internalState, base) !== 'Exclude',
  };
}

function pick(...modes: (Mode | undefined)[]): Mode {
  return modes.find((m) => m !== undefined && m !== 'Inherit') ?? 'Include';
}

function readModes(properties: Readonly<Record<string, unknown>>): Modes | undefined {
  const config = asObject(properties.logPersistenceConfig) ?? asObject(properties.logPersistenceMode);
  if (!config) return undefined;
  const members = (value: unknown) =>
    new Map(Object.entries(asObject(value) ?? {}).map(([name, mode]) => [name, readMode(mode)] as const));
  return {
    fallback: readMode(config.default),
    inputs: members(config.inputs),
    outputs: members(config.outputs),
    internalState: readMode(properties.internalState ?? config.internalState),
  };
}

/** A plain mode, or `{ evaluationMode: 'Strategy', strategyType }` whose type ends in the mode's name. */
function readMode(value: unknown): Mode {
  const text = typeof value === 'string' ? value : String(asObject(value)?.strategyType ?? '');
  const name = text.split(',')[0]!.split('.').at(-1)!.toLowerCase();
  return name === 'include' ? 'Include' : name === 'exclude' ? 'Exclude' : 'Inherit';
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
