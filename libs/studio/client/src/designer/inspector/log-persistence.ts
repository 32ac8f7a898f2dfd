/** Whether a value is kept in the journal; '': as the level above says. */
export type LogMode = '' | 'Include' | 'Exclude' | 'other';

type Json = Readonly<Record<string, unknown>>;
export type LogGroup = 'inputs' | 'outputs';

const STRATEGY = (mode: string) => ({
  evaluationMode: 'Strategy',
  strategyType: `Elsa.Workflows.LogPersistence.Strategies.${mode}, Elsa.Workflows.Core`,
});

/** What the custom properties of an activity say: in Elsa's form of now, or in the one before. */
export function defaultMode(properties: Json): LogMode {
  return modeOf(levelsOf(properties).default);
}

export function valueMode(properties: Json, group: LogGroup, member: string): LogMode {
  return modeOf(asObject(levelsOf(properties)[group])?.[member]);
}

/** The properties with another mode; everything else that they say stays. */
export function withDefaultMode(properties: Json, mode: LogMode): Json {
  const config = asObject(properties.logPersistenceConfig);
  if (config) return withConfig(properties, withMember(config, 'default', mode === '' ? undefined : STRATEGY(mode)));
  const legacy = asObject(properties.logPersistenceMode);
  const plain = mode === '' ? undefined : mode;
  return withMember(properties, 'logPersistenceMode', legacy ? withMember(legacy, 'default', plain) : plain);
}

export function withValueMode(properties: Json, group: LogGroup, member: string, mode: LogMode): Json {
  const levels = levelsOf(properties);
  const strategy = mode === '' ? undefined : STRATEGY(mode);
  const values = withMember(asObject(levels[group]) ?? {}, member, strategy);
  const config = withMember(levels, group, Object.keys(values).length > 0 ? values : undefined);
  // The form of before has no room for it beside the other: it moves along.
  const { logPersistenceMode: _moved, ...rest } = properties;
  return withConfig(rest, config);
}

function withConfig(properties: Json, config: Json): Json {
  return withMember(properties, 'logPersistenceConfig', Object.keys(config).length > 0 ? config : undefined);
}

function levelsOf({ logPersistenceConfig: config, logPersistenceMode: legacy }: Json): Json {
  return (
    asObject(config) ?? asObject(legacy) ?? (typeof legacy === 'string' && legacy !== '' ? { default: legacy } : {})
  );
}

/** As the engine reads it: a mode, or a strategy whose type ends in the name of one. */
function modeOf(value: unknown): LogMode {
  const level = asObject(value);
  if (String(level?.evaluationMode ?? '').toLowerCase() === 'expression') return 'other';
  const text = typeof value === 'string' ? value : String(level?.strategyType ?? '');
  const name = text.split(',')[0]!.split('.').at(-1)!.trim().toLowerCase();
  if (name === 'configuration') return 'other';
  return name === 'include' ? 'Include' : name === 'exclude' ? 'Exclude' : '';
}

const asObject = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;

function withMember(object: Json, member: string, value: unknown): Json {
  if (value !== undefined) return { ...object, [member]: value };
  const { [member]: _gone, ...rest } = object;
  return rest;
}
