import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { NodeState, type RuntimeNode } from '../persistence/node-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { MachineProcesses } from './machine-processes.js';
import { VERSION } from '../this-copy.js';

/** Period of the heartbeat, unless `pollIntervalMs` is longer. */
export const HEARTBEAT_MS = 10_000;
/** A node is shown as lost after that time without a heartbeat: three periods. */
export const NODE_LOST_MS = 3 * HEARTBEAT_MS;
/** Rows of killed nodes are deleted after that time. */
const FORGOTTEN_MS = 86_400_000;
const BEATS_BETWEEN_PURGES = 360;

/** Writes the row of this node periodically, so that every node can list all of them. No work waits for it. */
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
    private readonly processes: MachineProcesses,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** Name of this node in the list. */
  get name(): string {
    return this.options.nodeName;
  }

  /** Writes the first heartbeat, and one each period from then on. */
  start(): void {
    this.startedAt = new Date(this.clock.now());
    this.beat();
  }

  /** Writes a heartbeat now, after a change that other nodes should show at once, such as a pause. */
  async announce(): Promise<void> {
    if (!this.startedAt) return;
    this.current = this.current.then(() => this.write(this.describe()));
    await this.current;
  }

  /** Removes this node from the list, without waiting for it: a store that hangs must not delay the shutdown. */
  stop(): void {
    this.cancel?.();
    if (!this.startedAt) return;
    this.startedAt = undefined;
    // After a write that is under way: on another connection it could come second, and list the node again.
    this.current = this.current.then(() => this.trying(() => this.persistence.nodes.remove(this.name)));
  }

  private beat(): void {
    void this.announce();
    // A host that polls seldom wants few queries.
    const pauseMs = Math.max(HEARTBEAT_MS, this.options.pollIntervalMs);
    this.cancel = this.clock.setTimer(() => this.beat(), pauseMs, { isPoll: true });
  }

  private async write(node: RuntimeNode | undefined): Promise<void> {
    // While the store is out, the other nodes show this one as lost.
    if (!node || this.outages.isOut) return;
    await this.trying(async () => {
      await this.persistence.nodes.announce(node);
      if (this.startedAt && this.beats++ % BEATS_BETWEEN_PURGES === 0)
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
        process: this.processes.own(),
      }
    );
  }

  private async trying(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      // After the stop, the store may have been closed on purpose: that is no outage.
      if (!this.startedAt || !this.outages.report(error))
        this.logger.debug(`Failed to write the heartbeat of this node: ${toErrorLike(error).message}`);
    }
  }
}
