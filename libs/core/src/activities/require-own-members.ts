import { ActivityClassError } from './activity-class-error.js';
import type { Constructor } from './decorators.js';

interface Member {
  readonly name: string;
  readonly propertyName?: string | undefined;
}

/** What a class declares, with the members of its base classes. */
interface Members {
  readonly inputs: readonly Member[];
  readonly outputs: readonly Member[];
  readonly ports: readonly Member[];
  readonly childLists: readonly string[];
}

/**
 * Each member needs a property of its own, in JSON without regard to case, and a name that no other one of its kind has: of two, one would
 * be lost, or have the value of the other after a wait.
 * @throws ActivityClassError (`WM1044`)
 */
export function requireOwnMembers(activityClass: Constructor, { inputs, outputs, ports, childLists }: Members): void {
  const kinds: readonly (readonly [string, readonly Member[]])[] = [
    ['an input', inputs],
    ['an output', outputs],
    ['a port', ports],
    ['a list of activities', childLists.map((name) => ({ name, propertyName: name }))],
  ];
  const refuse = (problem: string): never => {
    throw new ActivityClassError(activityClass.name, problem);
  };
  const byProperty = new Map<string, { readonly kind: string; readonly property: string }>();
  for (const [kind, members] of kinds) {
    const byName = new Map<string, string>();
    for (const { name, propertyName: property } of members) {
      if (property === undefined) continue;
      const other = byProperty.get(property.toLowerCase());
      if (other?.property === property) refuse(`'${property}' is both ${other.kind} and ${kind}. Use two properties.`);
      if (other)
        refuse(
          `its members '${other.property}' and '${property}' differ in case only, which JSON may not. Rename one.`,
        );
      byProperty.set(property.toLowerCase(), { kind, property });
      const same = byName.get(name);
      if (same !== undefined)
        refuse(`its members '${same}' and '${property}' are both ${kind} with the name '${name}'. Rename one.`);
      byName.set(name, property);
    }
  }
  for (const { propertyName = '' } of outputs)
    if (hasGetter(activityClass.prototype as object, propertyName))
      refuse(
        `its output '${propertyName}' is a getter, which is not read. Make it a property, and assign it in execute().`,
      );
}

function hasGetter(prototype: object, property: string): boolean {
  for (let p: object | null = prototype; p; p = Object.getPrototypeOf(p) as object | null) {
    const found = Object.getOwnPropertyDescriptor(p, property);
    if (found) return found.get !== undefined;
  }
  return false;
}
