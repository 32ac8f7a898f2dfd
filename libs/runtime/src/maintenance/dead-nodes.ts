import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { InterruptedInstances } from './interrupted-instances.js';
import { HEARTBEAT_MS } from './node-heartbeat.js';
import { drainNow } from './paced-drain.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { NodeOfProcess } from '../persistence/node-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { MachineProcesses } from './machine-processes.js';

/** Of nodes on this machine, those that were last seen: a process that ends again and again leaves a row each time. */
const MOST_NODES = 100;
/** What the server was doing for a process when it was killed, such as a claim, may be committed a moment later. */
const SETTLED_MS = 3_000;

/**
 * Takes over from nodes on this machine whose process has certainly ended, after `kill -9` or a crash, without waiting for the end of
 * their claims (ADR 99). Their rows are read at the start and every ten seconds; in between, only the operating system is asked, so
 * that a healthy cluster costs no query more. Ending claims decides as little as their end does: commits decide (W2, W3).
 *
 * Of a node whose process cannot be seen from here, or may still exist, nothing is concluded: its claims end by themselves.
 */
@Injectable()
export class DeadNodes {
  private readonly logger = new WorkflowLogger('WorkflowRecovery');
  private nodes: readonly NodeOfProcess[] = [];
  private readAt = -Infinity;
  /** By name, since when. */
  private readonly dead = new Map<string, number>();
  /** If true, bursts are left of a process that had the name of this node. */
  private hasPredecessor = false;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly processes: MachineProcesses,
    private readonly interrupted: InterruptedInstances,
    private readonly outages: StoreOutages,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * Call before this node claims anything: one whose name the host has set begins under the name of its predecessor, and the claims
   * that are ended must not be its own.
   */
  async prepare(): Promise<void> {
    const { nodeName } = this.options;
    await this.trying(async () => {
      await this.read();
      const own = this.gone().find(({ name }) => name === nodeName);
      if (own) await this.succeed(own);
      for (const node of this.gone()) if (node.name !== nodeName) await this.endClaims(node);
    });
  }

  /** Call with each round, before messages are claimed. It never fails: the next round tries again. */
  async look(): Promise<void> {
    await this.trying(async () => {
      if (this.clock.monotonic() - this.readAt >= HEARTBEAT_MS) await this.read();
      if (this.hasPredecessor) await drainNow(this.interrupted.leftBy(this.options.nodeName));
      this.hasPredecessor = false;
      for (const node of this.gone()) if (node.name !== this.options.nodeName) await this.takeOver(node);
    });
  }

  private async read(): Promise<void> {
    const machine = this.processes.own()?.machine;
    this.nodes = machine === undefined ? [] : await this.persistence.nodes.findOn(machine, MOST_NODES);
    this.readAt = this.clock.monotonic();
    for (const name of this.dead.keys()) if (!this.nodes.some((node) => node.name === name)) this.dead.delete(name);
  }

  private gone(): NodeOfProcess[] {
    return this.nodes.filter(({ process }) => this.processes.isGone(process));
  }

  /** First of all: as long as its row names that process, other nodes would end the claims of this one. */
  private async succeed(predecessor: NodeOfProcess): Promise<void> {
    await this.endClaims(predecessor);
    // Before a burst begins here nothing could be asked to go on with them.
    this.hasPredecessor = true;
    await this.forget(predecessor);
  }

  private async takeOver(node: NodeOfProcess): Promise<void> {
    const isEnded = await this.endClaims(node);
    if (isEnded === undefined) return;
    await drainNow(this.interrupted.leftBy(node.name));
    const since = this.dead.get(node.name)!;
    if (isEnded && this.clock.monotonic() - since >= SETTLED_MS) await this.forget(node);
  }

  /** @returns whether all were ended; undefined: the name is another process's by now */
  private async endClaims(node: NodeOfProcess): Promise<boolean | undefined> {
    const result = await this.persistence.nodes.endClaims(node, { now: this.clock.storeTime() });
    if (!result) {
      this.leaveOut(node);
      return undefined;
    }
    if (!this.dead.has(node.name)) {
      this.dead.set(node.name, this.clock.monotonic());
      const line = `The process of node '${node.name}' on this machine has ended without a shutdown. Claims taken over: ${result.ended}.`;
      if (result.ended > 0) this.logger.warn(line);
      else this.logger.debug(line);
    }
    return result.isComplete;
  }

  private async forget(node: NodeOfProcess): Promise<void> {
    await this.persistence.nodes.forgetProcess(node);
    this.leaveOut(node);
  }

  private leaveOut(node: NodeOfProcess): void {
    this.nodes = this.nodes.filter((each) => each !== node);
    this.dead.delete(node.name);
  }

  private async trying(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!this.outages.report(error))
        this.logger.warn(
          `Failed to take over from dead nodes on this machine; retrying in the next round: ${toErrorLike(error).message}`,
        );
    }
  }
}
