import { Injectable } from '@nestjs/common';
import { DefinitionReadonlyError, IWorkflowDefinitionService } from '@waymark/runtime';

/** Keeps clients from changing what comes from code: the next start would undo it, or fail to find it. */
@Injectable()
export class EditableDefinitions {
  constructor(private readonly definitions: IWorkflowDefinitionService) {}

  /** Unknown definitions pass. @throws DefinitionReadonlyError */
  async require(definitionId: string): Promise<void> {
    if (!(await this.isEditable(definitionId))) throw new DefinitionReadonlyError(definitionId);
  }

  /** The same by the id of one version. @throws DefinitionReadonlyError */
  async requireVersion(definitionVersionId: string): Promise<void> {
    const found = await this.definitions.find({ definitionVersionId });
    if (found?.isReadonly) throw new DefinitionReadonlyError(found.definitionId);
  }

  /** Without those that come from code. */
  async among(definitionIds: readonly string[]): Promise<string[]> {
    const checked = await Promise.all(definitionIds.map(async (id) => ((await this.isEditable(id)) ? [id] : [])));
    return checked.flat();
  }

  /** Without versions that come from code. */
  async amongVersions(ids: readonly string[]): Promise<string[]> {
    const found = await Promise.all(ids.map((definitionVersionId) => this.definitions.find({ definitionVersionId })));
    return ids.filter((_, i) => !found[i]?.isReadonly);
  }

  private async isEditable(definitionId: string): Promise<boolean> {
    return !(await this.definitions.find({ definitionId, versionOptions: 'Latest' }))?.isReadonly;
  }
}
