/** Without the members that have no value: they would be stored, and be taken for recipients that got lost. */
export function given<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
