import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { isGone } from '../bookmarks/bookmark-resumer.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { orLater } from '../outbox/outbox-handler.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { InstanceParking } from '../instances/instance-parking.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { Backlog } from './paced-drain.js';

/** Asked for at a time, in few statements. */
const BATCH = 1000;
/** Before the id of the instance, the id of the message: one is enough, whichever node sees the instance, and however often. */
const TAKE_OVER = 'take-over/';

/** Payload of kind `take-over`. */
interface TakeOverMessage {
  readonly workflowInstanceId: string;
}

/**
 * Bursts may be committed half-way. When their process dies, their heart stops, and the rest of their queue is in the store
 * and has no owner: a live node runs on from there (W8). That goes by a message, so that one node does it, and so that an
 * instance which takes its node down each time is counted by the claims, and parked. Should the owner still live, it
 * is refused at its next commit (W3).
 */
@Injectable()
export class InterruptedInstances implements OnModuleInit {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly executor: BurstExecutor,
    private readonly outbox: OutboxProcessor,
    private readonly parking: InstanceParking,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  onModuleInit(): void {
    this.outbox.register({
      kind: 'take-over',
      handle: (message) => this.serve(message),
      abandon: async ({ id, payload, attempts }, error) => {
        // By its id it would keep the instance from ever being taken over again: after a retry, or when what is damaged was repaired.
        await orLater(this.parking.park((payload as TakeOverMessage).workflowInstanceId, attempts, error));
        await this.persistence.outbox.delete(id);
      },
    });
  }

  /**
   * Asks for those whose heart has stopped to be taken over, each by a message: any node serves it, and each node
   * `deliveryConcurrency` of them at the same time.
   * @param mayGoOn asked before each batch
   */
  untaken(mayGoOn: () => boolean): Backlog {
    return this.backlog('interrupted bursts', mayGoOn, undefined);
  }

  /** The same for those of a node whose process has certainly ended: their heart need not have stopped for long. */
  leftBy(executedBy: string): Backlog {
    return this.backlog('bursts of a dead node', () => true, executedBy);
  }

  private backlog(name: string, mayGoOn: () => boolean, executedBy: string | undefined): Backlog {
    // What this node executes itself is left out only afterwards: from the beginning again, it would hide all behind it.
    let after: string | undefined;
    return {
      name,
      takeBatch: async () => {
        if (!mayGoOn()) return false;
        const { ids, next } = await this.persistence.instances.findInterrupted({
          quietMs: this.options.interruptedAfterMs,
          executedBy,
          limit: BATCH,
          unlessMessage: TAKE_OVER,
          after,
          now: this.clock.storeTime(),
        });
        after = next;
        await this.askFor(ids.filter((id) => !this.executor.isActive(id)));
        return next !== undefined;
      },
    };
  }

  private async askFor(dead: readonly string[]): Promise<void> {
    if (dead.length === 0) return;
    const now = new Date(this.clock.now());
    const payloads = dead.map((workflowInstanceId): TakeOverMessage => ({ workflowInstanceId }));
    const messages = this.outbox.prepare(payloads.map((payload) => ({ kind: 'take-over', payload, availableAt: now })));
    await this.outbox.add(
      messages.map((message, index) => ({ ...message, id: TAKE_OVER + payloads[index]!.workflowInstanceId })),
    );
  }

  /** Consumed by no commit but the last: only a burst that has completed does not endanger the next node. */
  private async serve(message: OutboxMessage): Promise<void> {
    const { workflowInstanceId } = message.payload as TakeOverMessage;
    try {
      if (await this.executor.takeOver(workflowInstanceId, message.id)) return;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    await this.persistence.outbox.delete(message.id);
  }
}
