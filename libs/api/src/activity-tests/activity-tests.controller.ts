import { isWaymarkError, type Variable, type ActivityExecutionRecord } from '@waymark/core';
import { convertValue } from '@waymark/core/adapter';
import { Res } from '@nestjs/common';
import {
  IWorkflowDefinitionService,
  WorkflowClock,
  WorkflowEngine,
  type WorkflowDefinitionHandle,
  type LoadedDefinition,
} from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { HidesSecrets } from '../answers/hides-secrets.js';
import { Audited, type AuditedRequest, type AuditNote, textIn } from '../audit/audited.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import { type HttpReply, rawReply } from '../requests/http-request.js';
import { isObject, memberOf, withoutNulls } from '../requests/json-values.js';
import * as read from '../requests/readers.js';
import { runInTime } from './run-in-time.js';

const testRequest = read.members({
  workflowDefinitionHandle: read.required(
    read.members({ definitionVersionId: read.name, definitionId: read.name, versionOptions: read.versionOptions }),
  ),
  activityHandle: read.required(
    read.members({ activityNodeId: read.name, activityId: read.name, activityHash: read.name }),
  ),
});
type TestRequest = read.ReadBy<typeof testRequest>;

/** Tries single activities out. Nothing of it is stored, and nothing is sent to the runtime. */
@ApiController('tests')
@HidesSecrets()
export class ActivityTestsController {
  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  @Audited('activities.test', { target: 'definition', note: tested })
  @ApiPost('activities', 'exec:tests')
  async test(
    @FromBody(testRequest) { workflowDefinitionHandle, activityHandle }: TestRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const definition = await this.find(workflowDefinitionHandle);
    const graph = await this.definitions.graph(definition.id);
    const variables = testVariables(graph.root.variables, definition.customProperties);
    const burst = { graph, instanceId: this.engine.newId(), activityHandle, variables };
    const wec = await runInTime(
      (limits) => this.engine.runner.run({ ...burst, ...limits }),
      this.clock,
      rawReply(reply),
    );
    // Run by itself, the activity is the root of all that ran.
    const record = wec.journal?.take().records.find((r) => r.id === wec.rootContext?.id);
    if (!record) throw new InvalidRequestError('The activity left no record, because the journal is switched off.');
    return this.shown(record);
  }

  /** Outputs without a value are shown as null, so that editors list them all. */
  private shown(record: ActivityExecutionRecord): object {
    const { activityState = {}, payload = {}, exception, status, activityType, activityTypeVersion } = record;
    const declared = this.engine.activities.find(activityType, activityTypeVersion)?.descriptor.outputs ?? [];
    const outputs = { ...Object.fromEntries(declared.map(({ name }) => [name, null])), ...record.outputs };
    return { ...withoutNulls({ activityState, outputs, payload, exception }), status };
  }

  private async find(handle: TestRequest['workflowDefinitionHandle']): Promise<LoadedDefinition> {
    const { definitionVersionId, definitionId, versionOptions } = handle;
    const by: WorkflowDefinitionHandle | undefined =
      definitionVersionId !== undefined
        ? { definitionVersionId }
        : definitionId === undefined
          ? undefined
          : { definitionId, versionOptions };
    const found = by && (await this.definitions.find(by));
    if (!found) throw new InvalidRequestError('Workflow definition not found.');
    return found;
  }
}

/** Variables of the workflow by name: with the values that their author gave them for tests, by id, or their defaults. */
function testVariables(variables: readonly Variable[], customProperties: object): Record<string, unknown> {
  const all = memberOf(customProperties, 'VariableTestValues');
  const values = isObject(all) ? all : {};
  return Object.fromEntries(
    variables.map((variable) => {
      const { id, name, type, conversion } = variable;
      const given = Object.hasOwn(values, id) ? values[id] : undefined;
      if (given === undefined || given === null) return [name, variable.initial()];
      try {
        return [name, convertValue(given, type, conversion)];
      } catch (error) {
        if (!isWaymarkError(error)) throw error;
        throw new InvalidRequestError(`The test value of variable '${name}' does not fit: ${error.message}`, {
          cause: error,
        });
      }
    }),
  );
}

function tested({ body }: AuditedRequest): AuditNote {
  const { workflowDefinitionHandle: definition, activityHandle: activity } = body;
  const id = textIn(definition, 'definitionId') ?? textIn(definition, 'definitionVersionId');
  return {
    targetIds: id === undefined ? [] : [id],
    details: { activityId: textIn(activity, 'activityId') ?? textIn(activity, 'activityNodeId') },
  };
}
