import { Param } from '@nestjs/common';
import { IWorkflowDefinitionService, IWorkflowDispatcher } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { Audited, type AuditedRequest, type AuditNote, textIn, textsIn } from '../audit/audited.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import { isObject } from '../requests/json-values.js';
import * as read from '../requests/readers.js';

const common = {
  correlationId: read.name,
  triggerActivityId: read.name,
  versionOptions: read.withDefault(read.versionOptions, 'Published'),
  input: read.anything,
  channel: read.name,
};
const dispatchRequest = read.members({ ...common, instanceId: read.typed });
type DispatchRequest = read.ReadBy<typeof dispatchRequest>;

const bulkRequest = read.members({ ...common, count: read.withDefault(read.integerFrom(0), 1) });
type BulkRequest = read.ReadBy<typeof bulkRequest>;

const MAX_COUNT = 10_000;
/** Characters of the inputs of all starts together, as JSON: each start has a message of its own, with all of its input. */
const MAX_INPUT_CHARS = 100_000_000;
const EXECUTE = 'exec:workflow-definitions';

/** Starts workflows in the background. */
@ApiController('workflow-definitions')
export class DispatchController {
  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly dispatcher: IWorkflowDispatcher,
  ) {}

  @Audited('instances.dispatch', { target: 'instance', note: dispatched })
  @ApiPost(':definitionId/dispatch', EXECUTE)
  async dispatch(@Param('definitionId') definitionId: string, @FromBody(dispatchRequest) request: DispatchRequest) {
    const start = await this.prepare(definitionId, request);
    return { workflowInstanceId: await this.dispatcher.dispatch({ ...start, workflowInstanceId: request.instanceId }) };
  }

  @Audited('instances.dispatch', { target: 'instance', note: dispatchedMany })
  @ApiPost(':definitionId/bulk-dispatch', EXECUTE)
  async dispatchMany(@Param('definitionId') definitionId: string, @FromBody(bulkRequest) request: BulkRequest) {
    if (request.count > MAX_COUNT) throw InvalidRequestError.at('count', `'count' must not be more than ${MAX_COUNT}.`);
    const start = await this.prepare(definitionId, request);
    requireLittleInput(request);
    const workflowInstanceIds = await this.dispatcher.dispatchMany(start, request.count);
    return { workflowInstanceIds };
  }

  /** @throws DefinitionNotFoundError */
  private async prepare(definitionId: string, request: Omit<BulkRequest, 'count'>) {
    const { versionOptions, input, channel, correlationId, triggerActivityId } = request;
    const { id } = await this.definitions.require({ definitionId, versionOptions });
    if (input !== undefined && !isObject(input)) throw new InvalidRequestError('Input must be a dictionary.');
    // There is one channel, the outbox; a name for it is all that a client can give.
    if (channel !== undefined && channel !== 'Default')
      throw new InvalidRequestError('The specified channel does not exist.');
    return { definition: { definitionVersionId: id }, correlationId, triggerActivityId, input };
  }
}

/** @throws InvalidRequestError */
function requireLittleInput({ count, input }: BulkRequest): void {
  const chars = input === undefined ? 0 : JSON.stringify(input).length * count;
  if (chars > MAX_INPUT_CHARS)
    throw InvalidRequestError.at(
      'count',
      `'input' must not be more than ${MAX_INPUT_CHARS} characters for all ${count} starts together, but it is ${chars}. Start fewer in one request, or give less input.`,
    );
}

function dispatched({ params, answer }: AuditedRequest): AuditNote {
  const id = textIn(answer, 'workflowInstanceId');
  return { targetIds: id === undefined ? [] : [id], details: { definitionId: params.definitionId } };
}

/** The first hundred are named. */
function dispatchedMany({ params, answer }: AuditedRequest): AuditNote {
  return { targetIds: textsIn(answer, 'workflowInstanceIds'), details: { definitionId: params.definitionId } };
}
