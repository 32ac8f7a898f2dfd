import { Injectable } from '@nestjs/common';
import {
  DefinitionChangedError,
  DefinitionReadonlyError,
  type ExpectedDefinition,
  WorkflowPersistence,
} from '@waymark/runtime';

/** Keeps clients from changing what comes from code: the next start would undo it, or fail to find it. */
@Injectable()
export class EditableDefinitions {
  constructor(private readonly persistence: WorkflowPersistence) {}

  /**
   * Unknown definitions pass, unless the request expects one: whatever it expects, nothing matches (RFC 9110, 13.1.1).
   * @throws DefinitionReadonlyError, DefinitionChangedError
   */
  async require(definitionId: string, over?: ExpectedDefinition, what?: 'deleted'): Promise<void> {
    const [latest] = await this.persistence.definitions.findVersions({ definitionId, versionOptions: 'Latest' });
    if (latest?.isReadonly) throw new DefinitionReadonlyError(definitionId);
    if (!latest && over !== undefined && over !== 'none') throw new DefinitionChangedError(definitionId, what);
  }

  /** The same by the id of one version, to delete it. @throws DefinitionReadonlyError, DefinitionChangedError */
  async requireVersion(definitionVersionId: string, over?: ExpectedDefinition): Promise<void> {
    const [found] = await this.persistence.definitions.findVersions({ id: definitionVersionId });
    if (found?.isReadonly) throw new DefinitionReadonlyError(found.definitionId);
    if (!found && over !== undefined && over !== 'none')
      throw new DefinitionChangedError(definitionVersionId, 'deleted');
  }

  /** Without those that come from code. */
  async among(definitionIds: readonly string[]): Promise<string[]> {
    if (definitionIds.length === 0) return [];
    const latest = await this.persistence.definitions.findVersions({ definitionIds, versionOptions: 'Latest' });
    const readonly = new Set(latest.flatMap((version) => (version.isReadonly ? [version.definitionId] : [])));
    return definitionIds.filter((id) => !readonly.has(id));
  }

  /** Without versions that come from code. */
  async amongVersions(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const found = await this.persistence.definitions.findVersions({ ids });
    const readonly = new Set(found.flatMap((version) => (version.isReadonly ? [version.id] : [])));
    return ids.filter((id) => !readonly.has(id));
  }
}
