import { Injectable } from '@nestjs/common';
import { DefinitionReadonlyError, WorkflowPersistence } from '@waymark/runtime';

/** Keeps clients from changing what comes from code: the next start would undo it, or fail to find it. */
@Injectable()
export class EditableDefinitions {
  constructor(private readonly persistence: WorkflowPersistence) {}

  /** Unknown definitions pass. @throws DefinitionReadonlyError */
  async require(definitionId: string): Promise<void> {
    if (!(await this.isEditable(definitionId))) throw new DefinitionReadonlyError(definitionId);
  }

  /** The same by the id of one version. @throws DefinitionReadonlyError */
  async requireVersion(definitionVersionId: string): Promise<void> {
    const [found] = await this.persistence.definitions.findVersions({ id: definitionVersionId });
    if (found?.isReadonly) throw new DefinitionReadonlyError(found.definitionId);
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

  private async isEditable(definitionId: string): Promise<boolean> {
    const [latest] = await this.persistence.definitions.findVersions({ definitionId, versionOptions: 'Latest' });
    return !latest?.isReadonly;
  }
}
