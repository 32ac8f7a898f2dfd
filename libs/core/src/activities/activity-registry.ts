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

/**
 * Holds all registered activity types, by name and version. Each engine has one; nothing is static.
 *
 * Names of workflows are up to their authors: one that is called like a class does not take its place, and two that are called alike are
 * both found by their ids.
 */
export class ActivityRegistry {
  /** By type, the newest version first. */
  private readonly classes = new Map<string, ActivityRegistration[]>();
  /** Those that stand for workflows, by type, the preferred one first: see `byPreference`. */
  private readonly namedWorkflows = new Map<string, ActivityRegistration[]>();
  /** The same by definition id and then by version id: there may be ten thousand. */
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

  /** Adds a class, or a workflow. Replaces the class that has its type and version, or the registration of the same version of the workflow. */
  register(registration: ActivityRegistration): void {
    const { typeName, version } = registration.descriptor;
    const { versionId } = workflowOf(registration);
    const lists = this.listsOf(registration);
    const known =
      versionId === undefined
        ? lists.get(typeName)?.find((r) => r.descriptor.version === version)
        : this.workflowVersions.get(versionId);
    if (known) this.remove(known);
    const others = lists.get(typeName) ?? [];
    const next = others.findIndex((r) => byPreference(registration, r) < 0);
    lists.set(typeName, others.toSpliced(next < 0 ? others.length : next, 0, registration));
    this.rememberWorkflow(registration);
    this.revisions.set(typeName, ++this.revision);
  }

  /** Removes this registration, if it is there. Others of the same type and version stay. */
  remove(registration: ActivityRegistration): void {
    const lists = this.listsOf(registration);
    const { typeName } = registration.descriptor;
    this.keep(
      lists,
      typeName,
      (lists.get(typeName) ?? []).filter((r) => r !== registration),
    );
  }

  /** Removes every registration that the predicate selects, e.g. workflows that are no longer usable as activities. */
  unregister(selects: (descriptor: ActivityDescriptor) => boolean): void {
    for (const lists of [this.classes, this.namedWorkflows])
      for (const [type, list] of lists)
        this.keep(
          lists,
          type,
          list.filter((r) => !selects(r.descriptor)),
        );
  }

  /**
   * Finds the type at that version. If the version is missing or not registered: at its newest one, and for a workflow at its
   * newest published one, as long as there is one. A workflow is not found by the type of a class, at any version; of several workflows
   * that are called alike, a published one is preferred.
   */
  find(typeName: string, version?: number): ActivityRegistration | undefined {
    return chosen(this.classes.get(typeName) ?? this.namedWorkflows.get(typeName) ?? [], version);
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

  /** What can be found by type and version: all versions of each type, without workflows whose name is taken by a class or by another. */
  list(): ActivityRegistration[] {
    const workflows = [...this.namedWorkflows].filter(([type]) => !this.classes.has(type));
    return [...this.classes.values(), ...workflows.map(([, list]) => firstOfEachVersion(list))].flat();
  }

  private listsOf(registration: ActivityRegistration): Map<string, ActivityRegistration[]> {
    return workflowOf(registration).versionId === undefined ? this.classes : this.namedWorkflows;
  }

  private keep(lists: Map<string, ActivityRegistration[]>, typeName: string, kept: ActivityRegistration[]): void {
    const list = lists.get(typeName);
    if (!list || kept.length === list.length) return;
    for (const registration of list) if (!kept.includes(registration)) this.forgetWorkflow(registration);
    if (kept.length) lists.set(typeName, kept);
    else lists.delete(typeName);
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

/**
 * The newest version first. Of workflows that are called alike, a published one, and then the one with the highest id: on each node the
 * same, in whatever order they came.
 */
function byPreference(a: ActivityRegistration, b: ActivityRegistration): number {
  const versions = b.descriptor.version - a.descriptor.version;
  if (versions !== 0) return versions;
  const drafts = Number(isDraft(a)) - Number(isDraft(b));
  if (drafts !== 0) return drafts;
  return (workflowOf(a).versionId ?? '') > (workflowOf(b).versionId ?? '') ? -1 : 1;
}

function firstOfEachVersion(list: readonly ActivityRegistration[]): ActivityRegistration[] {
  return list.filter(({ descriptor }, i) => descriptor.version !== list[i - 1]?.descriptor.version);
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
