type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the members that a request leaves out. */
export function onlyGiven<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>;
}
