import { Injectable } from '@nestjs/common';
import { endsBurst } from '@waymark/core/adapter';
import { afterCommit } from '../persistence/after-commit.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { DefinitionsDeleted, WorkflowEvent } from '../events/workflow-events.js';
import type { BulkFailure } from '../persistence/bulk-plan-store.js';
import type {
  DefinitionChange,
  DefinitionFilter,
  DefinitionVersion,
  LoadedDefinition,
} from '../persistence/definition-store.js';
import type { TimestampFilter } from '../persistence/instance-store.js';
import { failureOf } from '../persistence/failure-of.js';
import { chunksOf } from '../persistence/in-chunks.js';
import type { StoredTrigger } from '../persistence/records.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import { repeatOnConflict } from '../persistence/repeat-on-conflict.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { DefinitionNotPublishedError, requireDefinitionId } from '../services/definition-errors.js';
import type { DeleteOptions, RetractedDefinitions, SaveOptions } from '../services/definition-services.js';
import { type IndexedTriggers, ITriggerIndexer } from '../services/trigger-services.js';
import { triggerChange } from '../triggers/trigger-indexer.js';
import { DefinitionInstances } from './definition-instances.js';
import { DefinitionWrites } from './definition-writes.js';
import { requireEither, requireExpected } from './require-expected.js';

/** Deleted in one transaction: their content is not read. */
const DELETED_AT_ONCE = 50;
/** Retracted in one transaction. Each is read and written whole. */
const RETRACTED_AT_ONCE = 20;
const NO_TRIGGERS = { addedTriggers: [], removedTriggerIds: [] };

type SavedRow = DefinitionChange['saved'][number];

/** Retracts and deletes definitions: many in one transaction, so that a thousand cost little more than fifty. */
@Injectable()
export class DefinitionRemoval {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly writes: DefinitionWrites,
    private readonly indexer: ITriggerIndexer,
    private readonly instances: DefinitionInstances,
    private readonly events: WorkflowEventEmitter,
    private readonly clock: WorkflowClock,
  ) {}

  /** @throws DefinitionNotFoundError, DefinitionNotPublishedError, DefinitionChangedError */
  retract(definitionId: string, { over }: Pick<SaveOptions, 'over'>): Promise<LoadedDefinition> {
    return repeatOnConflict(async () => {
      requireDefinitionId(definitionId);
      const published = await this.persistence.definitions.find({ definitionId, versionOptions: 'Published' });
      if (!published) {
        await this.writes.requireLatest(definitionId);
        throw new DefinitionNotPublishedError(definitionId);
      }
      if (over !== undefined) requireEither(await this.writes.requireLatest(definitionId), published, over);
      const row = retracted(published);
      const indexed = await this.indexer.diff(row.definition, false);
      await this.writes.apply({ saved: [row], deletedIds: [], ...triggerChange(indexed) }, [indexed]);
      return this.writes.stored(row.definition, WorkflowEvent.DefinitionRetracted);
    });
  }

  /** Those that are not published stay as they are. One that fails keeps no other from being retracted. */
  async retractMany(definitionIds: readonly string[]): Promise<RetractedDefinitions> {
    const result = { retracted: [] as string[], notPublished: [] as string[], notFound: [] as string[] };
    const failures: BulkFailure[] = [];
    const together = async (ids: readonly string[]): Promise<void> => {
      const done = await repeatOnConflict(() => this.retractTogether(ids));
      for (const list of ['retracted', 'notPublished', 'notFound'] as const) result[list].push(...done[list]);
    };
    await inLots(definitionIds, RETRACTED_AT_ONCE, together, (id, error) => failures.push(failureOf(id, error)));
    return { ...result, failures };
  }

  /** With their instances. @returns how many versions */
  async delete(definitionIds: readonly string[], options: DeleteOptions): Promise<number> {
    const deleted: string[] = [];
    let count = 0;
    const together = async (ids: readonly string[]): Promise<void> => {
      const found = await repeatOnConflict(() => this.deleteDefinitions(ids, options));
      deleted.push(...new Set(found.map(({ definitionId }) => definitionId)));
      count += found.length;
    };
    try {
      await inLots([...new Set(definitionIds)], DELETED_AT_ONCE, together);
      return count;
    } finally {
      // Those before one that fails are gone.
      if (deleted.length > 0) await this.events.emit(WorkflowEvent.DefinitionsDeleted, new DefinitionsDeleted(deleted));
    }
  }

  /** With their instances. @returns how many */
  async deleteVersions(versionIds: readonly string[], options: DeleteOptions): Promise<number> {
    let count = 0;
    await inLots([...new Set(versionIds)], DELETED_AT_ONCE, async (ids) => {
      count += await repeatOnConflict(() => this.deleteVersionsOf(ids, options));
    });
    return count;
  }

  private async retractTogether(ids: readonly string[]): Promise<Omit<RetractedDefinitions, 'failures'>> {
    const { definitions } = this.persistence;
    const { items } = await definitions.findMany({ definitionIds: ids, versionOptions: 'Published' });
    const published = new Set(items.map(({ definitionId }) => definitionId));
    const others = ids.filter((id) => !published.has(id));
    const there = new Set((await this.versions({ definitionIds: others })).map(({ definitionId }) => definitionId));
    if (items.length > 0) {
      const saved = items.map(retracted);
      const indexed = await this.withoutTriggers([...published]);
      await this.writes.apply({ saved, deletedIds: [], ...removing(indexed) }, indexed);
      await this.writes.allStored(
        saved.map(({ definition }) => definition),
        WorkflowEvent.DefinitionRetracted,
      );
    }
    return {
      retracted: ids.filter((id) => published.has(id)),
      notPublished: others.filter((id) => there.has(id)),
      notFound: others.filter((id) => !there.has(id)),
    };
  }

  /** As they were read: what is saved, published or refreshed meanwhile is read again, and goes as well. */
  private async deleteDefinitions(
    ids: readonly string[],
    { over, isWanted }: DeleteOptions,
  ): Promise<readonly DefinitionVersion[]> {
    const until = this.untilNow();
    const versions = await this.versions({ definitionIds: ids });
    if (versions.length === 0 || (isWanted && !(await isWanted()))) return [];
    const found = [...new Set(versions.map(({ definitionId }) => definitionId))];
    for (const { definitionId } of over === undefined ? [] : versions) {
      const latest = versions.find((version) => version.isLatest && version.definitionId === definitionId);
      requireExpected(definitionId, latest, over, 'deleted');
    }
    // While their definitions are there: afterwards their activities are unknown, and who deletes one once more finds none.
    await this.instances.deleteAll({ definitionIds: found, timestamps: until });
    const indexed = await this.withoutTriggers(found);
    const fence = { deletedIds: versions.map(({ id }) => id), deletedAs: versions, emptied: found };
    const before = this.untilNow();
    await this.writes.apply({ saved: [], ...fence, ...removing(indexed) }, indexed, found);
    await this.deleteLate(versions, before);
    return versions;
  }

  private async deleteVersionsOf(ids: readonly string[], { over, isWanted }: DeleteOptions): Promise<number> {
    const until = this.untilNow();
    const versions = await this.versions({ ids });
    if (versions.length === 0 || (isWanted && !(await isWanted()))) return 0;
    for (const version of versions) requireExpected(version.definitionId, version, over, 'deleted');
    await this.instances.deleteAll({ ...ofVersions(versions), timestamps: until });
    const published = versions.filter(({ isPublished }) => isPublished).map(({ definitionId }) => definitionId);
    const indexed = await this.withoutTriggers(published);
    const saved = await this.nextLatest(versions);
    const before = this.untilNow();
    const fence = { deletedIds: versions.map(({ id }) => id), deletedAs: versions };
    const from = [...new Set(versions.map(({ definitionId }) => definitionId))];
    await this.writes.apply({ saved, ...fence, ...removing(indexed) }, indexed, from);
    await this.deleteLate(versions, before);
    return versions.length;
  }

  /**
   * Deletes instances of deleted versions that were started meanwhile, on nodes with other clocks as well. Where a version is there again,
   * imported under the same id, the later ones are its own.
   * @param before created before the versions were deleted: only after that can they be imported again
   */
  private async deleteLate(versions: readonly DefinitionVersion[], before: TimestampFilter[]): Promise<void> {
    const there = new Set((await this.versions({ ids: versions.map(({ id }) => id) })).map(({ id }) => id));
    const gone = versions.filter(({ id }) => !there.has(id));
    const again = versions.filter(({ id }) => there.has(id));
    if (gone.length > 0) await this.instances.deleteAll(ofVersions(gone));
    if (again.length > 0) await this.instances.deleteAll({ ...ofVersions(again), timestamps: before });
  }

  /** Not by the indexer: it would want the definitions with their content, which says nothing here. */
  private async withoutTriggers(definitionIds: readonly string[]): Promise<IndexedTriggers[]> {
    if (definitionIds.length === 0) return [];
    const rows = await this.persistence.triggers.findMany({ workflowDefinitionIds: definitionIds });
    const byDefinition = new Map<string, StoredTrigger[]>(definitionIds.map((id) => [id, []]));
    for (const row of rows) byDefinition.get(row.workflowDefinitionId)!.push(row);
    return [...byDefinition].map(([definitionId, removed]) => ({ definitionId, added: [], removed, unchanged: [] }));
  }

  /** Its triggers still start others: with those, a deletion might not end. */
  private untilNow(): TimestampFilter[] {
    return [{ column: 'CreatedAt', operator: 'LessThanOrEqual', timestamp: new Date(this.clock.now()) }];
  }

  private versions(filter: DefinitionFilter): Promise<readonly DefinitionVersion[]> {
    const { ids, definitionIds } = filter;
    if ((ids ?? definitionIds)?.length === 0) return Promise.resolve([]);
    return this.persistence.definitions.findVersions(filter);
  }

  /** The highest versions that are left of those whose latest one goes. */
  private async nextLatest(versions: readonly DefinitionVersion[]): Promise<SavedRow[]> {
    const going = new Set(versions.map(({ id }) => id));
    const saved: SavedRow[] = [];
    for (const version of versions) {
      const next = version.isLatest ? await this.highestExcept(version, going) : undefined;
      if (next) saved.push(withLatest(next));
    }
    return saved;
  }

  /** Reads as much of two versions as of ten thousand. */
  private async highestExcept(
    { definitionId, version }: DefinitionVersion,
    going: ReadonlySet<string>,
  ): Promise<LoadedDefinition | undefined> {
    const { definitions } = this.persistence;
    const order = { by: 'Version', direction: 'Descending' } as const;
    // Mostly the one that goes is the highest.
    for (let skip = 1; ; skip++) {
      const [next] = (await definitions.findMany({ definitionId }, order, { skip, take: 1, countUpTo: 0 })).items;
      if (skip === 1 && next && version <= next.version) return definitions.find({ definitionId });
      if (!next || !going.has(next.id)) return next;
    }
  }
}

function retracted({ revision, ...definition }: LoadedDefinition): SavedRow {
  return { definition: { ...definition, isPublished: false }, expectedRevision: revision };
}

function withLatest({ revision, ...definition }: LoadedDefinition): SavedRow {
  return { definition: { ...definition, isLatest: true }, expectedRevision: revision };
}

/** Their definitions are named as well: instances are found by them. */
function ofVersions(versions: readonly DefinitionVersion[]) {
  const definitionIds = [...new Set(versions.map(({ definitionId }) => definitionId))];
  return { definitionIds, definitionVersionIds: versions.map(({ id }) => id) };
}

function removing(indexed: readonly IndexedTriggers[]) {
  return { ...NO_TRIGGERS, removedTriggerIds: indexed.flatMap(({ removed }) => removed.map(({ id }) => id)) };
}

/** Stores may answer without leaving the process. */
async function othersTurn(): Promise<void> {
  const turn = loopTurns.goOn();
  if (turn) await turn;
}

/**
 * A lot that fails is done one by one, so that the error of one leaves the others of it alone.
 * @param onFailure takes the error of one. @default it is thrown, and leaves those before it done
 * @throws faults of the store
 */
async function inLots(
  ids: readonly string[],
  size: number,
  task: (ids: readonly string[]) => Promise<void>,
  onFailure?: (id: string, error: unknown) => void,
): Promise<void> {
  let isBegun = false;
  const tried = async (some: readonly string[]): Promise<void> => {
    await afterCommit(
      () => task(some),
      () => isBegun,
    );
    isBegun = true;
  };
  const alone = async (id: string): Promise<void> => {
    try {
      await tried([id]);
    } catch (error) {
      if (!onFailure || isStoreOutage(error) || endsBurst(error)) throw error;
      onFailure(id, error);
    }
  };
  for (const lot of chunksOf(ids, size)) {
    await othersTurn();
    try {
      if (lot.length > 1) await tried(lot);
    } catch (error) {
      if (isStoreOutage(error) || endsBurst(error)) throw error;
      for (const id of lot) await alone(id);
    }
    if (lot.length === 1) await alone(lot[0]!);
  }
}
