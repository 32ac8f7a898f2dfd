import cronstrue from 'cronstrue';

/** `undefined` for what cannot be said in words. The day of month and the day of week must both match, as in Elsa. */
export function cronWords(expression: string): string | undefined {
  try {
    return cronstrue.toString(expression, { logicalAndDayFields: true, use24HourTimeFormat: true });
  } catch {
    return undefined;
  }
}
