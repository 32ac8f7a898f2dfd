import { Param, Req, Res } from '@nestjs/common';
import { IWorkflowDefinitionService, IWorkflowStarter } from '@waymark/runtime';
import { ShownValues } from '../answers/hides-secrets.js';
import { stateAnswer } from '../instances/state-answer.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import type { HttpRequest } from '../requests/http-request.js';
import { readExecuteQuery, readExecuteRequest, type ExecuteRequest } from './execute-request.js';
import { WorkflowResponses } from './workflow-responses.js';

const EXECUTE = 'exec:workflow-definitions';

/** Starts a workflow and answers what its first burst came to. */
@ApiController('workflow-definitions')
export class ExecuteController {
  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly starter: IWorkflowStarter,
    private readonly responses: WorkflowResponses,
    private readonly shown: ShownValues,
  ) {}

  @ApiGet(':definitionId/execute', EXECUTE)
  async get(
    @Param('definitionId') definitionId: string,
    @Req() request: HttpRequest,
    @Res() response: object,
  ): Promise<void> {
    await this.execute(definitionId, readExecuteQuery(request), request, response);
  }

  @ApiPost(':definitionId/execute', EXECUTE)
  async post(
    @Param('definitionId') definitionId: string,
    @Req() request: HttpRequest,
    @Res() response: object,
  ): Promise<void> {
    await this.execute(definitionId, await readExecuteRequest(request), request, response);
  }

  private async execute(
    definitionId: string,
    { versionOptions, ...start }: ExecuteRequest,
    request: HttpRequest,
    response: object,
  ) {
    const definition = await this.definitions.require({ definitionId, versionOptions });
    const { cannotStart, result } = await this.starter.start({
      ...start,
      definition: { definitionVersionId: definition.id },
      transient: this.responses.transientFor(request, response),
    });
    const headers = { 'x-elsa-workflow-cannot-start': cannotStart ? 'True' : 'False' };
    if (!result) {
      await this.responses.send(response, { headers: { ...headers, 'x-elsa-response': 'true' } });
      return;
    }
    const started = { ...headers, 'x-elsa-workflow-instance-id': result.workflowInstanceId };
    const body = { workflowState: this.shown.of(stateAnswer(result.state)) };
    if (result.subStatus === 'Faulted') await this.responses.send(response, { status: 500, headers: started, body });
    else await this.responses.send(response, { headers: { ...started, 'x-elsa-response': 'true' }, body });
  }
}
