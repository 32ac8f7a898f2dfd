import { Param } from '@nestjs/common';
import { WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { NodeHeartbeat } from '@waymark/runtime/adapter';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { FaultedInstances } from './fault-places.js';
import { nodeAnswer, type NodeAnswer } from './node-answers.js';
import { heatOf } from './standing-answer.js';

export const READ_OPERATIONS = ['read:workflow-runtime', 'ManageWorkflowRuntime'] as const;
const READ_INSTANCES = 'read:workflow-instances';

const HOUR_MS = 3_600_000;
const SLOT_MS = 300_000;
const SHOWN_DEFINITIONS = 10;
const SHOWN_NODES = 200;
// Where the store stops counting: a person who reads the page needs no larger numbers.
const MOST_COUNTED = 10_000;
const MOST_STANDING = 20_000;

/** An overview of what runs, for operators. Elsa has nothing like it. */
@ApiController('operations')
export class OperationsController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly heartbeat: NodeHeartbeat,
    private readonly faulted: FaultedInstances,
  ) {}

  @ApiGet('overview', ...READ_OPERATIONS)
  async overview() {
    const { statistics } = this.persistence;
    const now = this.clock.now();
    const [throughput, failures, { lastTaskChange: _, ...depths }, nodes] = await Promise.all([
      statistics.throughput(new Date(now - HOUR_MS), SLOT_MS, MOST_COUNTED),
      statistics.failures(SHOWN_DEFINITIONS, MOST_COUNTED),
      statistics.depths(new Date(now), MOST_COUNTED),
      this.nodeAnswers(now),
    ]);
    return { at: new Date(now), throughput: { slotMs: SLOT_MS, ...throughput }, failures, depths, nodes };
  }

  @ApiGet('nodes', ...READ_OPERATIONS)
  async nodes() {
    return { items: await this.nodeAnswers(this.clock.now()) };
  }

  /** Where in a definition its instances wait or failed. */
  @ApiGet('standing/:definitionId', READ_INSTANCES)
  async standing(@Param('definitionId') definitionId: string) {
    const [waiting, failed] = await Promise.all([
      this.persistence.statistics.standing(definitionId, MOST_STANDING),
      this.faulted.of(definitionId),
    ]);
    const versions = heatOf(waiting, failed);
    if (versions.length === 0) await this.requireDefinition(definitionId);
    return {
      definitionId,
      versions,
      isWaitingComplete: waiting.isComplete,
      isFaultedComplete: failed.isComplete,
    };
  }

  /** One that is being deleted may be gone before its instances: what still stands is answered. */
  private async requireDefinition(definitionId: string): Promise<void> {
    const known = await this.persistence.definitions.findVersions({ definitionId, versionOptions: 'Latest' });
    if (known.length === 0) throw new ResourceNotFoundError('workflow definition', definitionId);
  }

  private async nodeAnswers(now: number): Promise<NodeAnswer[]> {
    const nodes = await this.persistence.nodes.list(SHOWN_NODES);
    return nodes.map((node) => nodeAnswer(node, now, this.heartbeat.name));
  }
}
