import { isInAnyCasing } from '@waymark/core/adapter';

/**
 * Plain data as templates see it: objects that are read in any casing answer to each spelling of a name. The engine looks
 * for own members, so what they are asked for seems to be one. Everything else is the data itself.
 */
export function anyCasingView(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map(anyCasingView);
    return items.some((item, i) => item !== data[i]) ? items : data;
  }
  let members = data as Record<string, unknown>;
  for (const [name, member] of Object.entries(data)) {
    const view = anyCasingView(member);
    if (view === member) continue;
    if (members === data) members = { ...members };
    // Never the prototype: a member of that name is no object that is read in any casing, and none that holds one.
    if (name !== '__proto__') members[name] = view;
  }
  return isInAnyCasing(data) ? new Proxy(members, inAnyCasing) : members;
}

/** The name that a member has, for one that is spelled in another casing. */
export function spelled(members: object, name: string): string {
  if (Object.hasOwn(members, name)) return name;
  const wanted = name.toLowerCase();
  return Object.keys(members).find((n) => n.length === name.length && n.toLowerCase() === wanted) ?? name;
}

const inAnyCasing: ProxyHandler<Record<string, unknown>> = {
  get: (members, name) => (typeof name === 'string' ? members[spelled(members, name)] : undefined),
  has: (members, name) => typeof name === 'string' && Object.hasOwn(members, spelled(members, name)),
  getOwnPropertyDescriptor: (members, name) => {
    const found = Reflect.getOwnPropertyDescriptor(members, typeof name === 'string' ? spelled(members, name) : name);
    // Whatever the data is like: what a proxy says to be unchangeable has to be there under that very name.
    return found && { value: found.value as unknown, writable: true, enumerable: true, configurable: true };
  },
};
