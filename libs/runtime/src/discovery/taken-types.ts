import { ActivityClassError, type ActivityDescriptor, type Constructor } from '@waymark/core';
import type { ActivityRegistration } from '@waymark/core/adapter';

interface Owner {
  readonly activityClass: Constructor;
  /** Of a built-in activity: how a test replaces it, empty where it cannot. Undefined for a class of the application. */
  readonly replacing: string | undefined;
}

/** Types of the activity classes found so far. Of two classes of one type, the order of modules would decide which one runs. */
export class TakenTypes {
  private readonly owners = new Map<string, Owner>();

  /** @param registered activities of the engine itself, which are no providers */
  constructor(registered: readonly ActivityRegistration[]) {
    for (const { activityClass, descriptor } of registered)
      this.owners.set(keyOf(descriptor), { activityClass, replacing: '' });
  }

  /**
   * Takes the type of a class. One class may be a provider of several modules.
   * @param descriptor what its decorators say @param isBuiltIn whether it comes with Waymark
   * @throws ActivityClassError (`WM1044`) when another class has that type and version
   */
  take(activityClass: Constructor, descriptor: ActivityDescriptor, isBuiltIn: boolean): void {
    const key = keyOf(descriptor);
    const other = this.owners.get(key);
    if (other && other.activityClass !== activityClass)
      throw new ActivityClassError(activityClass.name, problemOf(descriptor, other));
    const { name } = activityClass;
    this.owners.set(key, {
      activityClass,
      replacing: isBuiltIn ? ` In a test, overrideProvider(${name}) replaces the built-in one.` : undefined,
    });
  }
}

function keyOf({ typeName, version }: { readonly typeName: string; readonly version: number }): string {
  return `${typeName} ${version}`;
}

function problemOf({ typeName, version }: ActivityDescriptor, other: Owner): string {
  return other.replacing === undefined
    ? `it has the type '${typeName}' and version ${version}, as class ${other.activityClass.name} has. ` +
        'Give one of them another `type` or `version` in its decorator, or remove it from the providers.'
    : `it has the type '${typeName}' and version ${version} of a built-in activity. ` +
        `Give it a \`type\` of its own in its decorator.${other.replacing}`;
}
