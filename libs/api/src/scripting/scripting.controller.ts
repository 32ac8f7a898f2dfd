import { Param, type StreamableFile } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { IWorkflowDefinitionService } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { fileAnswer } from '../answers/file-answer.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { typeDefinitions } from './type-definitions.js';

const scriptRequest = read.members({ activityTypeName: read.name, propertyName: read.name });
type ScriptRequest = read.ReadBy<typeof scriptRequest>;

/** Tells script editors what scripts can use. */
@ApiController('scripting/javascript')
export class ScriptingController {
  constructor(private readonly definitions: IWorkflowDefinitionService) {}

  @ApiPost('type-definitions/:definitionId', 'read:javascript-type-definitions', 'read:*')
  async typeDefinitions(
    @Param('definitionId') definitionId: string,
    @FromBody(scriptRequest) { activityTypeName }: ScriptRequest,
  ): Promise<StreamableFile> {
    const definition = await this.definitions.find({ definitionId, versionOptions: 'Latest' });
    if (!definition) throw new InvalidRequestError(`Workflow definition ${definitionId} not found`);
    const text = typeDefinitions(definition, await this.compiled(definition.id), activityTypeName);
    return fileAnswer(`elsa.${definitionId}.d.ts`, text, 'application/x-typescript');
  }

  /** A draft need not compile; then the outputs of its activities are unknown. */
  private async compiled(definitionVersionId: string) {
    try {
      return await this.definitions.graph(definitionVersionId);
    } catch (error) {
      if (isWaymarkError(error)) return undefined;
      throw error;
    }
  }
}
