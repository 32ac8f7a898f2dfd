import type { ActivityDescriptor } from './activity-descriptor.js';
import { describeActivity } from './describe-activity.js';
import type { Constructor } from './decorators.js';

/** An activity type that definitions may use. */
export interface ActivityRegistration {
  readonly descriptor: ActivityDescriptor;
  readonly activityClass: Constructor;
  /** Prototype of every execution object: the instance that the container made, with its injected services. */
  readonly provider: object;
}

/** All known activity types, by name and version. One per engine; nothing is static. */
export class ActivityRegistry {
  /** Newest version first. */
  private readonly byType = new Map<string, ActivityRegistration[]>();
  private revision = 0;

  /** Grows with every change; compiled graphs compare it. */
  get version(): number {
    return this.revision;
  }

  /** Registers a class by its decorators. @param provider its instance, with services injected */
  registerClass(activityClass: Constructor, provider: object): ActivityRegistration {
    const registration = { descriptor: describeActivity(activityClass), activityClass, provider };
    this.register(registration);
    return registration;
  }

  /** Adds or replaces a type at its version. */
  register(registration: ActivityRegistration): void {
    const { typeName, version } = registration.descriptor;
    const others = (this.byType.get(typeName) ?? []).filter((r) => r.descriptor.version !== version);
    this.byType.set(
      typeName,
      [...others, registration].sort((a, b) => b.descriptor.version - a.descriptor.version),
    );
    this.revision++;
  }

  /** Removes every registration that the predicate selects, e.g. workflows that are no longer usable as activities. */
  unregister(selects: (descriptor: ActivityDescriptor) => boolean): void {
    for (const [type, list] of this.byType) {
      const kept = list.filter((r) => !selects(r.descriptor));
      if (kept.length === list.length) continue;
      if (kept.length) this.byType.set(type, kept);
      else this.byType.delete(type);
      this.revision++;
    }
  }

  /** The type at that version; the newest when the version is missing or not registered. */
  find(typeName: string, version?: number): ActivityRegistration | undefined {
    const list = this.byType.get(typeName);
    return list?.find((r) => r.descriptor.version === version) ?? list?.[0];
  }

  /** The registration whose construction properties name that version of a workflow definition. */
  findWorkflow(by: {
    definitionVersionId?: string;
    definitionId?: string;
    version?: number;
  }): ActivityRegistration | undefined {
    let newest: ActivityRegistration | undefined;
    for (const list of this.byType.values())
      for (const r of list) {
        const p = r.descriptor.constructionProperties;
        if (by.definitionVersionId && p.WorkflowDefinitionVersionId === by.definitionVersionId) return r;
        if (!by.definitionId || p.WorkflowDefinitionId !== by.definitionId) continue;
        if (r.descriptor.version === by.version) return r;
        if (!newest || r.descriptor.version > newest.descriptor.version) newest = r;
      }
    return newest;
  }

  list(): ActivityRegistration[] {
    return [...this.byType.values()].flat();
  }
}
