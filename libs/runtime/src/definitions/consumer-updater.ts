import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  findReferences,
  type LostBinding,
  lostBindings,
  pascalize,
  replaceReferences,
  type WorkflowReference,
} from '@waymark/core/adapter';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { ConsumerContendedError, ConsumerInvalidError } from '../services/definition-errors.js';
import type { DefinitionDraft, DefinitionProblem } from '../services/definition-services.js';
import { usesFirst } from './uses-first.js';

/** Of one consumer that people save again and again. */
const MAX_ATTEMPTS = 10;

/**
 * Saves a draft, or publishes a published one again. What follows it is not its work.
 * @param made of this version
 * @throws DefinitionChangedError (`WM7043`) when another one is the latest meanwhile, ConsumerInvalidError (`WM4091`)
 */
type Save = (draft: DefinitionDraft, made: LoadedDefinition) => Promise<LoadedDefinition | undefined>;

/** What one run of updates has read of published versions, which do not change. By version id. */
export type ReadVersions = Map<string, LoadedDefinition>;

/** Finds and updates the workflows that use another one as an activity. */
@Injectable()
export class ConsumerUpdater {
  private save: Save | undefined;

  constructor(private readonly persistence: WorkflowPersistence) {}

  /** How consumers are saved: the publisher says it, which uses this class. */
  saveWith(save: Save): void {
    this.save = save;
  }

  /**
   * Ids of definitions whose latest version uses any version of that one, directly or through others; the nearest first, each
   * once. Circles end where they began.
   */
  async find(definitionId: string): Promise<string[]> {
    return [...(await this.uses(definitionId)).keys()];
  }

  /** The same, each after those that it uses: moved in this order, each of them is published once. */
  async inOrder(definitionId: string): Promise<string[]> {
    return usesFirst(await this.uses(definitionId));
  }

  /**
   * Points a consumer to the published versions of those that it follows. A published one is published again, a draft is saved.
   * @param sources that may have been published: others are left as they are
   * @returns undefined where nothing had to be changed
   * @throws ConsumerInvalidError (`WM4091`), ConsumerContendedError (`WM4092`)
   */
  async move(
    definitionId: string,
    sources: ReadonlySet<string>,
    versions: ReadVersions,
  ): Promise<LoadedDefinition | undefined> {
    let followed = definitionId;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      // What a person saves of it meanwhile stays, and is moved along instead: a save of what was read before would undo it.
      const consumer = await this.persistence.definitions.find({ definitionId, versionOptions: 'Latest' });
      if (!consumer || consumer.isReadonly) return undefined;
      const outdated = await this.outdated(consumer, sources, versions);
      const [first] = outdated.keys();
      if (first === undefined) return undefined;
      followed = first;
      const targets = new Map([...outdated].map(([id, target]) => [id, referenceTo(target)]));
      if (consumer.isPublished) await this.requireBindings(consumer, outdated, versions);
      const root = replaceReferences(consumer.root, ({ definitionId: used }) => targets.get(used ?? ''));
      try {
        return await this.save!({ ...consumer, root }, consumer);
      } catch (error) {
        if (!isWaymarkError(error, 'WM7043')) throw error;
      }
    }
    throw new ConsumerContendedError(definitionId, followed);
  }

  /** All consumers, nearest first, each with those among them, and with that one, that it uses. */
  private async uses(definitionId: string): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (let level = [definitionId]; level.length > 0;) {
      const next: string[] = [];
      for (const use of await this.persistence.definitions.findUses(level)) {
        if (use.definitionId === definitionId) continue;
        const known = found.get(use.definitionId);
        if (known) known.push(use.usedDefinitionId);
        else {
          found.set(use.definitionId, [use.usedDefinitionId]);
          next.push(use.definitionId);
        }
      }
      level = next;
    }
    return found;
  }

  /** The published versions to which a reference is to be changed, by definition id. */
  private async outdated(
    { root }: LoadedDefinition,
    sources: ReadonlySet<string>,
    versions: ReadVersions,
  ): Promise<Map<string, LoadedDefinition>> {
    const outdated = new Map<string, LoadedDefinition>();
    const references = findReferences(root).filter(({ definitionId: used }) => used !== undefined && sources.has(used));
    for (const used of new Set(references.map((reference) => reference.definitionId!))) {
      const target = await this.published(used, versions);
      if (target && isFollowed(target) && references.some((reference) => isOlder(reference, target)))
        outdated.set(used, target);
    }
    return outdated;
  }

  /**
   * A published consumer would run without them from then on. A draft keeps them, and its author is warned.
   * @throws ConsumerInvalidError when the new versions lack inputs or outputs that are bound
   */
  private async requireBindings(
    { definitionId, root }: LoadedDefinition,
    targets: ReadonlyMap<string, LoadedDefinition>,
    versions: ReadVersions,
  ): Promise<void> {
    const references = findReferences(root).filter((reference) => targets.has(reference.definitionId ?? ''));
    const before = new Map<string, LoadedDefinition>();
    for (const reference of references) {
      if (before.has(nameOf(reference))) continue;
      const version = await this.referredTo(reference, versions);
      if (version) before.set(nameOf(reference), version);
    }
    const lost = lostBindings(root, (reference) => {
      const [from, to] = [before.get(nameOf(reference)), targets.get(reference.definitionId ?? '')];
      return from && to && from.id !== to.id ? { before: from, after: to } : undefined;
    });
    if (lost.length > 0) throw new ConsumerInvalidError(definitionId, lost.map(problemOf));
  }

  /** Undefined for one that names no version: it is the published one, whichever that is. */
  private async referredTo(
    { definitionId, definitionVersionId, version }: WorkflowReference,
    versions: ReadVersions,
  ): Promise<LoadedDefinition | undefined> {
    if (definitionVersionId !== undefined) return this.version(definitionVersionId, versions);
    if (definitionId === undefined || version === undefined) return undefined;
    const [found] = await this.persistence.definitions.findVersions({ definitionId, versionOptions: version });
    return found && this.version(found.id, versions);
  }

  private async version(id: string, versions: ReadVersions): Promise<LoadedDefinition | undefined> {
    const known = versions.get(id) ?? (await this.persistence.definitions.find({ id }));
    if (known) versions.set(id, known);
    return known;
  }

  /** Asked each time: moved by what was read before, a consumer could go back behind a publish that has come since. */
  private async published(definitionId: string, versions: ReadVersions): Promise<LoadedDefinition | undefined> {
    const { definitions } = this.persistence;
    const [version] = await definitions.findVersions({ definitionId, versionOptions: 'Published' });
    if (!version) return undefined;
    return this.version(version.id, versions);
  }
}

/** Whether those who use it follow it. */
export function isFollowed({ options }: Pick<LoadedDefinition, 'options'>): boolean {
  return options.usableAsActivity === true && options.autoUpdateConsumingWorkflows === true;
}

const nameOf = ({ definitionId, definitionVersionId, version }: WorkflowReference): string =>
  JSON.stringify([definitionVersionId ?? definitionId, version]);

const problemOf = ({ activityId, type, kind, name }: LostBinding): DefinitionProblem => ({
  message: `Activity '${activityId}' (${type}) binds the ${kind} '${name}', which the new version does not have.`,
  code: 'WM1051',
  activityId,
});

function isOlder(reference: WorkflowReference, { definitionId, version, id }: LoadedDefinition): boolean {
  return (
    reference.definitionId === definitionId && (reference.version !== version || reference.definitionVersionId !== id)
  );
}

function referenceTo({ id, version, name, definitionId }: LoadedDefinition) {
  return { definitionVersionId: id, version, type: pascalize(name ?? definitionId) };
}
