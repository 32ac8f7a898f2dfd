import { Param } from '@nestjs/common';
import { IWorkflowDefinitionService } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { JsonWithCharset } from '../answers/json-type.js';
import { AnswersWhole } from '../answers/whole-answers.interceptor.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { DefinitionTrees, outermost, segmentsTo } from './definition-tree.js';

const subgraphRequest = read.members({ parentNodeId: read.required(read.name), layout: read.flag });
const segmentsRequest = read.members({ childNodeId: read.required(read.name), layout: read.flag });

const READ = ['read:workflow-definitions', 'read:*'] as const;

/** Parts of a definition by node id, so that clients can look into workflows used as activities one by one. */
@ApiController('workflow-definitions/subgraph')
export class DefinitionGraphController {
  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly trees: DefinitionTrees,
  ) {}

  @JsonWithCharset()
  @AnswersWhole()
  @ApiGet('segments/:id', ...READ)
  async segments(
    @Param('id') id: string,
    @FromQuery(segmentsRequest) { childNodeId, layout }: read.ReadBy<typeof segmentsRequest>,
  ) {
    const definition = await this.definitions.require({ definitionVersionId: id });
    const child = await this.trees.find(definition, childNodeId, layout);
    if (!child) throw new InvalidRequestError('Unknown node ID');
    const segments = segmentsTo(child);
    return {
      childNode: await this.trees.show(child, layout),
      container: await this.trees.show(segments.at(-1)?.node ?? outermost(child), layout),
      pathSegments: segments.map(({ node: { nodeId, json }, portName }) => ({
        activityNodeId: nodeId,
        activityId: json.id,
        activityType: json.type,
        portName,
        activityName: json.name ?? undefined,
      })),
    };
  }

  /** An unknown node gives the workflow itself. */
  @JsonWithCharset()
  @AnswersWhole()
  @ApiGet(':id', ...READ)
  async subgraph(
    @Param('id') id: string,
    @FromQuery(subgraphRequest) { parentNodeId, layout }: read.ReadBy<typeof subgraphRequest>,
  ) {
    const definition = await this.definitions.require({ definitionVersionId: id });
    const found = await this.trees.find(definition, parentNodeId, layout);
    return this.trees.show(found ?? (await this.trees.root(definition, layout)), layout);
  }
}
