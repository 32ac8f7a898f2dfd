import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { NodeState, type RuntimeNode } from '../persistence/node-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { VERSION } from '../this-copy.js';

/** How often a node says that it is there, unless its `pollIntervalMs` is longer. */
export const HEARTBEAT_MS = 10_000;
/** A node that has said nothing for that long is taken for lost: three of its heartbeats. */
export const NODE_LOST_MS = 3 * HEARTBEAT_MS;
/** Until what is left of a node that was killed is removed. */
const FORGOTTEN_MS = 86_400_000;
const BEATS_BETWEEN_PURGES = 360;

/** Says in the store that this node is there, so that others can show which nodes there are. Nothing waits for it. */
@Injectable()
export class NodeHeartbeat {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  private startedAt: Date | undefined;
  private cancel: CancelTimer | undefined;
  private beats = 0;
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly gate: RuntimeGate,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** The name under which it is listed. */
  get name(): string {
    return this.options.nodeName;
  }

  /** The first sign of life, and one after the other from then on. */
  start(): void {
    this.startedAt = new Date(this.clock.now());
    this.beat();
  }

  /** Says now what this node is: after a pause, which others should see at once. */
  async announce(): Promise<void> {
    if (!this.startedAt) return;
    this.current = this.current.then(() => this.write(this.describe()));
    await this.current;
  }

  /** Takes this node off the list. Not waited for, as the store does before it closes: else one that hangs would delay the end. */
  stop(): void {
    this.cancel?.();
    if (!this.startedAt) return;
    this.startedAt = undefined;
    void this.trying(() => this.persistence.nodes.remove(this.name));
  }

  private beat(): void {
    void this.announce();
    // Never more often than it looks at the store otherwise.
    const pauseMs = Math.max(HEARTBEAT_MS, this.options.pollIntervalMs);
    this.cancel = this.clock.setTimer(() => this.beat(), pauseMs, { isPoll: true });
  }

  private async write(node: RuntimeNode | undefined): Promise<void> {
    // Others find it lost meanwhile, which is what it is to them.
    if (!node || this.outages.isOut) return;
    await this.trying(async () => {
      await this.persistence.nodes.announce(node);
      if (this.beats++ % BEATS_BETWEEN_PURGES === 0)
        await this.persistence.nodes.purge(new Date(node.seenAt.getTime() - FORGOTTEN_MS));
    });
  }

  private describe(): RuntimeNode | undefined {
    const { closedBecause } = this.gate;
    return (
      this.startedAt && {
        name: this.name,
        version: VERSION,
        platform: process.version,
        startedAt: this.startedAt,
        seenAt: new Date(this.clock.now()),
        state: closedBecause === 'draining' ? NodeState.Draining : closedBecause ? NodeState.Paused : NodeState.Running,
        activeBursts: this.gate.activeBursts,
      }
    );
  }

  private async trying(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!this.outages.report(error))
        this.logger.debug(`The list of nodes could not be written: ${toErrorLike(error).message}`);
    }
  }
}
