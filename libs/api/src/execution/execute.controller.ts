import { Param, Req, Res } from '@nestjs/common';
import { isWaymarkError, type WorkflowDefinition } from '@waymark/core';
import {
  IWorkflowDefinitionService,
  IWorkflowStarter,
  type StartWorkflowRequest,
  type StartWorkflowResponse,
} from '@waymark/runtime';
import { CodeWorkflows } from '@waymark/runtime/adapter';
import { onlyLooks, RefusesHeadLikeGet } from '../answers/head-requests.js';
import { ShownValues } from '../answers/hides-secrets.js';
import { stateAnswer } from '../instances/state-answer.js';
import { Audited, type AuditedRoute } from '../audit/audited.js';
import { noteForAudit } from '../audit/request-audit.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import type { HttpRequest } from '../requests/http-request.js';
import { entryEndpoint } from './entry-endpoint.js';
import { readExecuteQuery, readExecuteRequest, type ExecuteRequest } from './execute-request.js';
import { WorkflowResponses } from './workflow-responses.js';

const EXECUTE = 'exec:workflow-definitions';

/** The instance is named when it has been started. */
const STARTED: Omit<AuditedRoute, 'action'> = {
  target: 'instance',
  note: ({ params }) => ({ details: { definitionId: params.definitionId } }),
};

/** Starts a workflow and returns the result of its first burst. */
@ApiController('workflow-definitions')
export class ExecuteController {
  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly starter: IWorkflowStarter,
    private readonly code: CodeWorkflows,
    private readonly responses: WorkflowResponses,
    private readonly shown: ShownValues,
  ) {}

  @Audited('instances.start', STARTED)
  @RefusesHeadLikeGet()
  @ApiGet(':definitionId/execute', EXECUTE)
  async get(
    @Param('definitionId') definitionId: string,
    @Req() request: HttpRequest,
    @Res() response: object,
  ): Promise<void> {
    await this.execute(definitionId, readExecuteQuery(request), request, response);
  }

  @Audited('instances.start', STARTED)
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
    if (onlyLooks(request)) return this.responses.send(request, response, {});
    const transient = this.responses.transientFor(request, response);
    const { cannotStart, result } = await this.start(definition, { ...start, transient }).catch(
      async (error: unknown) => {
        // The published version is that of a newer deployment: this node starts what it has.
        const isOpen = isWaymarkError(error, 'WM2040') && versionOptions === 'Published';
        const [own] = isOpen ? this.code.versionsOf(definitionId) : [];
        if (own === undefined) throw error;
        return this.start(await this.definitions.require({ definitionVersionId: own }), { ...start, transient });
      },
    );
    const headers = { 'x-elsa-workflow-cannot-start': cannotStart ? 'True' : 'False' };
    if (!result) {
      noteForAudit(request, { details: { cannotStart } });
      await this.responses.send(request, response, { headers: { ...headers, 'x-elsa-response': 'true' } });
      return;
    }
    noteForAudit(request, { targetIds: [result.workflowInstanceId], details: { subStatus: result.subStatus } });
    const started = { ...headers, 'x-elsa-workflow-instance-id': result.workflowInstanceId };
    const body = { workflowState: this.shown.of(stateAnswer(result.state)) };
    if (result.subStatus === 'Faulted')
      await this.responses.send(request, response, { status: 500, headers: started, body });
    else await this.responses.send(request, response, { headers: { ...started, 'x-elsa-response': 'true' }, body });
  }

  private start(
    definition: WorkflowDefinition,
    start: Omit<StartWorkflowRequest, 'definition'>,
  ): Promise<StartWorkflowResponse> {
    const isPlain = !start.triggerActivityId && !start.activityHandle;
    const endpoint = isPlain && this.responses.areWritten ? entryEndpoint(definition) : undefined;
    return this.starter.start({
      ...start,
      ...(endpoint === undefined ? {} : { triggerActivityId: endpoint }),
      definition: { definitionVersionId: definition.id },
    });
  }
}
