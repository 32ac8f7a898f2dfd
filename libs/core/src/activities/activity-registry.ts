import type { ActivityDescriptor } from './activity-descriptor.js';
import { describeActivity } from './describe-activity.js';
import type { Constructor } from './decorators.js';

/** A registered activity type, which definitions may use. */
export interface ActivityRegistration {
  /** Describes the type to tools. */
  readonly descriptor: ActivityDescriptor;
  /** The class that runs it. */
  readonly activityClass: Constructor;
  /** Prototype of every execution object: the instance that Nest constructed, with its injected services. */
  readonly provider: object;
}

/** Holds all registered activity types, by name and version. Each engine has one; nothing is static. */
export class ActivityRegistry {
  /** Newest version first. */
  private readonly byType = new Map<string, ActivityRegistration[]>();
  /** Those that stand for workflows, by definition id and then by version id: there may be ten thousand. */
  private readonly workflows = new Map<string, Map<string, ActivityRegistration>>();
  private readonly workflowVersions = new Map<string, ActivityRegistration>();
  /** When a type last came, went or changed. */
  private readonly revisions = new Map<string, number>();
  private revision = 0;

  /** Incremented by every change, so that compiled graphs notice changes. */
  get version(): number {
    return this.revision;
  }

  /** The `version` at which the type last changed; 0 if it never did. */
  revisionOf(typeName: string): number {
    return this.revisions.get(typeName) ?? 0;
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
    const list = this.byType.get(typeName) ?? [];
    const known = list.find((r) => r.descriptor.version === version);
    if (known) this.forgetWorkflow(known);
    const others = list.filter((r) => r !== known);
    const next = others.findIndex((r) => r.descriptor.version < version);
    this.byType.set(typeName, others.toSpliced(next < 0 ? others.length : next, 0, registration));
    this.rememberWorkflow(registration);
    this.revisions.set(typeName, ++this.revision);
  }

  /** Removes the type at that version, if it is there. */
  remove(typeName: string, version: number): void {
    const list = this.byType.get(typeName) ?? [];
    this.keep(
      typeName,
      list.filter((r) => r.descriptor.version !== version),
    );
  }

  /** Removes every registration that the predicate selects, e.g. workflows that are no longer usable as activities. */
  unregister(selects: (descriptor: ActivityDescriptor) => boolean): void {
    for (const [type, list] of this.byType)
      this.keep(
        type,
        list.filter((r) => !selects(r.descriptor)),
      );
  }

  /**
   * Finds the type at that version. If the version is missing or not registered: at its newest one, and for a workflow at its
   * newest published one, as long as there is one.
   */
  find(typeName: string, version?: number): ActivityRegistration | undefined {
    return chosen(this.byType.get(typeName) ?? [], version);
  }

  /** The registration whose construction properties name that version of a workflow definition; chosen as by `find`. */
  findWorkflow(by: {
    definitionVersionId?: string;
    definitionId?: string;
    version?: number;
  }): ActivityRegistration | undefined {
    const { definitionVersionId, definitionId, version } = by;
    const exact = definitionVersionId ? this.workflowVersions.get(definitionVersionId) : undefined;
    if (exact || !definitionId) return exact;
    return chosen(this.listWorkflow(definitionId), version);
  }

  /** All versions of one workflow definition, the newest first. */
  listWorkflow(definitionId: string): ActivityRegistration[] {
    const versions = [...(this.workflows.get(definitionId)?.values() ?? [])];
    return versions.sort((a, b) => b.descriptor.version - a.descriptor.version);
  }

  /** All registrations, all versions of each type. */
  list(): ActivityRegistration[] {
    return [...this.byType.values()].flat();
  }

  private keep(typeName: string, kept: ActivityRegistration[]): void {
    const list = this.byType.get(typeName);
    if (!list || kept.length === list.length) return;
    for (const registration of list) if (!kept.includes(registration)) this.forgetWorkflow(registration);
    if (kept.length) this.byType.set(typeName, kept);
    else this.byType.delete(typeName);
    this.revisions.set(typeName, ++this.revision);
  }

  private rememberWorkflow(registration: ActivityRegistration): void {
    const { definitionId, versionId } = workflowOf(registration);
    if (definitionId === undefined || versionId === undefined) return;
    const versions = this.workflows.get(definitionId) ?? new Map<string, ActivityRegistration>();
    this.workflows.set(definitionId, versions.set(versionId, registration));
    this.workflowVersions.set(versionId, registration);
  }

  private forgetWorkflow(registration: ActivityRegistration): void {
    const { definitionId, versionId } = workflowOf(registration);
    if (versionId === undefined || this.workflowVersions.get(versionId) !== registration) return;
    this.workflowVersions.delete(versionId);
    const versions = this.workflows.get(definitionId!);
    versions?.delete(versionId);
    if (versions?.size === 0) this.workflows.delete(definitionId!);
  }
}

/** Of versions, the newest first. A draft takes the place of what is published only where it is named. */
function chosen(versions: readonly ActivityRegistration[], version?: number): ActivityRegistration | undefined {
  return versions.find((r) => r.descriptor.version === version) ?? versions.find((r) => !isDraft(r)) ?? versions[0];
}

/** Published workflows are browsable; classes need not be. */
function isDraft(registration: ActivityRegistration): boolean {
  return !registration.descriptor.isBrowsable && workflowOf(registration).definitionId !== undefined;
}

function workflowOf({ descriptor }: ActivityRegistration): { definitionId?: string; versionId?: string } {
  const { WorkflowDefinitionId: definitionId, WorkflowDefinitionVersionId: versionId } =
    descriptor.constructionProperties as Readonly<Record<string, string | undefined>>;
  return { definitionId, versionId };
}
