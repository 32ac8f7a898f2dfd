/** How much of an activity's values its records keep. `Inherit` leaves it to the level above; at the top it is Include. */
export type LogPersistenceMode = 'Inherit' | 'Include' | 'Exclude';

const MODES: ReadonlyMap<string, LogPersistenceMode | 'Configuration'> = new Map(
  (['Inherit', 'Include', 'Exclude', 'Configuration'] as const).map((mode) => [mode.toLowerCase(), mode]),
);

/** The mode that a text names, by its own name or by that of the reference's class; undefined for any other text. */
export const namedMode = (text: string): LogPersistenceMode | 'Configuration' | undefined =>
  MODES.get(text.split(',')[0]!.split('.').at(-1)!.trim().toLowerCase());

/** Whether the text names a mode. */
export const isLogPersistenceMode = (text: string): boolean => namedMode(text) !== undefined;
