/** Without the members that have no value: they would be stored, and be refused as recipients without a value. */
export function given<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
