import type { OutgoingMessage } from '@waymark/core/adapter';
import type { LineOf } from '../bursts/outbox.js';
import type { RuntimeGate } from '../bursts/runtime-gate.js';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { WorkflowEngine } from '../engine/workflow-engine.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { DeliveryPool } from './delivery-pool.js';
import type { HeadStart } from './head-start.js';
import type { LongWorkPool } from './long-work-pool.js';
import type { OutboxHandler } from './outbox-handler.js';
import type { SealedMessages } from './sealed-messages.js';

/** What the rows of new messages depend on. */
interface NewMessageParts {
  readonly clock: WorkflowClock;
  readonly gate: RuntimeGate;
  readonly engine: WorkflowEngine;
  readonly handlers: ReadonlyMap<string, OutboxHandler>;
  readonly messages: SealedMessages;
  readonly pool: DeliveryPool;
  readonly longPool: LongWorkPool;
  readonly headStart: HeadStart;
  readonly nodeName: string;
}

/** Makes the rows of messages that this node writes. Those for which it has a place get a head start: the others leave them to it. */
export class NewMessages {
  constructor(private readonly parts: NewMessageParts) {}

  prepare(messages: readonly OutgoingMessage[], line?: LineOf): OutboxMessage[] {
    if (!messages.length) return [];
    const { clock, engine, handlers, longPool, nodeName } = this.parts;
    const now = clock.now();
    // A node that is paused or shuts down begins nothing: what a plan has yet to do, step after step, would keep it for as long as that takes.
    const isClosed = this.parts.gate.closedBecause !== undefined;
    let room = isClosed ? 0 : this.parts.pool.room;
    const headStartMs = this.parts.headStart.ms;
    const isLong = (kind: string) => handlers.get(kind)?.isLong === true;
    const long = line && messages.filter(({ kind }) => isLong(kind));
    const turns = long?.length ? longPool.line.turns(line!, long.length) : [];
    return messages.map(({ kind, payload, workflowInstanceId, availableAt }) => {
      const id = engine.newId();
      const waitsAt = handlers.get(kind)?.waitsAt?.(payload);
      // A head start would keep it from others while this node has no place for it.
      const hasNoPlace = () => (isLong(kind) ? isClosed || !longPool.promise(id, headStartMs) : room-- <= 0);
      const isLeftToAll = waitsAt !== undefined || hasNoPlace();
      const hasHeadStart = !isLeftToAll && availableAt === undefined;
      return {
        id,
        workflowInstanceId,
        ...this.parts.messages.seal(id, { kind, payload }),
        createdAt: new Date(now),
        availableAt: availableAt ?? new Date(isLeftToAll ? now : now + headStartMs),
        attempts: 0,
        turn: isLong(kind) ? (turns.shift() ?? 1) : waitsAt,
        writtenBy: hasHeadStart ? nodeName : undefined,
      };
    });
  }

  /** One that this node serves while it holds it, whether it has a place or not. */
  prepareHeld(message: OutgoingMessage): OutboxMessage {
    const { clock, headStart, nodeName } = this.parts;
    const [row] = this.prepare([{ ...message, availableAt: new Date(clock.now() + headStart.ms) }]);
    return { ...row!, writtenBy: nodeName };
  }
}
