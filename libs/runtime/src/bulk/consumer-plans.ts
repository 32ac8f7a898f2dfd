import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ConsumerFollowing } from '../definitions/consumer-following.js';
import { ConsumerUpdater, isFollowed, type ReadVersions } from '../definitions/consumer-updater.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { BulkFailure, PlanRequester } from '../persistence/bulk-plan-store.js';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import { failureOf } from '../persistence/failure-of.js';
import type { OutboxMessage } from '../persistence/records.js';
import { severalAtATime } from '../persistence/several-at-a-time.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { UpdatedConsumers } from '../services/definition-services.js';
import { PlanSteps, type Step } from './plan-steps.js';

const KIND = 'update-consumers';
/** Consumers that a publish moves before it is answered: a quarter of a second. More are moved by a plan. */
export const CONSUMERS_AT_ONCE = 50;
/** Moved while others wait for the place of the message. */
const CONSUMERS_OF_STEP = 20;
/** Nearly all of the time of one is waiting for the store; in the end they queue for the counter of all changes of definitions. */
const MOVED_AT_ONCE = 4;

/** Payload of kind `update-consumers`. */
interface FollowMessage {
  readonly definitionId: string;
  /** Who published. Missing: code of the application, or a node of the version before. */
  readonly requestedBy?: PlanRequester | undefined;
}
/** Plans whose ids this node remembers. */
const REMEMBERED = 4;
type Followed = Pick<LoadedDefinition, 'definitionId' | 'options'>;

/**
 * Moves the consumers of a published definition along. The publish stores a message with the definition; the node that publishes does its
 * work, and others do when it dies. A few are moved at once; for more, a plan is stored, which is answered in their place.
 */
@Injectable()
export class ConsumerPlans extends ConsumerFollowing implements OnModuleInit {
  private readonly logger = new WorkflowLogger('Workflow');
  /** By plan: what its consumers may use. Each step asks for it, and all of a plan ask for the same. */
  private readonly sources = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly updater: ConsumerUpdater,
    private readonly outbox: OutboxProcessor,
    private readonly steps: PlanSteps,
  ) {
    super();
  }

  /** Called by Nest. */
  onModuleInit(): void {
    this.outbox.register({ kind: KIND, handle: (message, signal) => this.serve(message, signal) });
    this.steps.register({
      action: 'UpdateConsumers',
      size: CONSUMERS_OF_STEP,
      perform: async (step, signal) => {
        const { updated, failures } = await this.moveAll(step.ids, await this.sourcesOf(step), signal);
        return { changed: updated.length, failures };
      },
    });
  }

  async prepare({ definitionId }: Followed, requestedBy?: PlanRequester): Promise<OutboxMessage | undefined> {
    const [consumer] = await this.persistence.definitions.findConsumers(definitionId);
    const payload: FollowMessage = { definitionId, ...(requestedBy && { requestedBy }) };
    return consumer && this.outbox.prepareHeld({ kind: KIND, payload });
  }

  async follow(
    published: Followed,
    { message: stored, requestedBy }: Parameters<ConsumerFollowing['follow']>[1] = {},
  ): Promise<UpdatedConsumers> {
    const { definitionId } = published;
    if (!stored) return isFollowed(published) ? this.moveOrPlan({ definitionId, requestedBy }) : nothing();
    return this.outbox.holdWhile(stored, async () => {
      if (!(await this.outbox.isOurs(stored))) return nothing();
      const outcome = await this.moveOrPlan({ definitionId, requestedBy }, stored.id);
      await this.persistence.outbox.delete(stored.id);
      return outcome;
    });
  }

  private async serve(message: OutboxMessage, signal: AbortSignal): Promise<void> {
    await this.moveOrPlan(message.payload as FollowMessage, message.id, signal);
    if (!signal.aborted) await this.persistence.outbox.delete(message.id);
  }

  /** @param planId of the plan, if it takes one: when this is done again, there is still one */
  private async moveOrPlan(
    { definitionId, requestedBy }: FollowMessage,
    planId?: string,
    signal?: AbortSignal,
  ): Promise<UpdatedConsumers> {
    const ids = await this.updater.inOrder(definitionId);
    if (ids.length <= CONSUMERS_AT_ONCE) return this.moveAll(ids, new Set([definitionId, ...ids]), signal);
    const plan = { action: 'UpdateConsumers', ids, filter: { definitionId }, id: planId, requestedBy } as const;
    return { ...nothing(), planId: await this.steps.submit(plan) };
  }

  /** The definition that was published, and all consumers of the plan: read by this node once. */
  private async sourcesOf({ planId, filter, all }: Step<'UpdateConsumers'>): Promise<ReadonlySet<string>> {
    const known = this.sources.get(planId);
    if (known) return known;
    const sources = new Set([filter.definitionId, ...(await all())]);
    for (const oldest of this.sources.keys())
      if (this.sources.size >= REMEMBERED) this.sources.delete(oldest);
      else break;
    this.sources.set(planId, sources);
    return sources;
  }

  /** Several at a time, each after those before it that it uses. One that fails leaves the others alone. */
  private async moveAll(
    ids: readonly string[],
    sources: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<UpdatedConsumers> {
    const moves = new Map<string, Promise<LoadedDefinition | undefined>>();
    const versions: ReadVersions = new Map();
    const uses = await this.usesAmong(ids);
    const moveAfter = async (
      id: string,
      before: readonly Promise<unknown>[],
    ): Promise<LoadedDefinition | undefined> => {
      await Promise.allSettled(before);
      // Stores may answer without leaving the process.
      const turn = loopTurns.goOn();
      if (turn) await turn;
      return this.updater.move(id, sources, versions);
    };
    const move = async (id: string): Promise<void> => {
      // Before anything is waited for, or one that begins later would not know of it. Of a circle, one is the first.
      const moved = moveAfter(
        id,
        (uses.get(id) ?? []).flatMap((used) => moves.get(used) ?? []),
      );
      moves.set(id, moved);
      await moved;
    };
    const failed = await severalAtATime(ids, MOVED_AT_ONCE, move, signal);
    const failures: BulkFailure[] = failed.map(({ item, error }) => failureOf(item, error));
    for (const { message } of failures) this.logger.warn(message);
    // In the order of the ids, as each was begun.
    const settled = await Promise.allSettled(moves.values());
    const updated = settled.flatMap((move) => (move.status === 'fulfilled' && move.value ? [move.value] : []));
    return { updated, failures };
  }

  /** Those among them that each one uses. */
  private async usesAmong(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const uses = new Map<string, string[]>();
    for (const { definitionId, usedDefinitionId } of await this.persistence.definitions.findUses(ids)) {
      const known = uses.get(definitionId);
      if (known) known.push(usedDefinitionId);
      else uses.set(definitionId, [usedDefinitionId]);
    }
    return uses;
  }
}

const nothing = (): UpdatedConsumers => ({ updated: [], failures: [] });
