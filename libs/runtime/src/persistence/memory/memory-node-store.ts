import type { StoreTime } from '../message-stores.js';
import type { EndedClaims, NodeOfProcess, NodeStore, RuntimeNode } from '../node-store.js';
import { isolate } from './isolate.js';
import type { BulkBatchRow, MemoryData } from './memory-data.js';
import { compareText } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryNodeStore implements NodeStore {
  private readonly nodes = new Map<string, RuntimeNode>();

  constructor(private readonly data: MemoryData) {}

  async announce(node: RuntimeNode): Promise<void> {
    this.nodes.set(node.name, isolate(node));
  }

  async list(limit: number): Promise<RuntimeNode[]> {
    return isolate(this.inOrder().slice(0, limit));
  }

  async remove(name: string): Promise<void> {
    this.nodes.delete(name);
  }

  async purge(before: Date): Promise<number> {
    const old = [...this.nodes.values()].filter(({ seenAt }) => seenAt < before);
    for (const { name } of old) this.nodes.delete(name);
    return old.length;
  }

  async findOn(machine: string, limit: number): Promise<NodeOfProcess[]> {
    const latest = this.inOrder().sort((left, right) => right.seenAt.getTime() - left.seenAt.getTime());
    const found = latest.flatMap(({ name, startedAt, process }) =>
      process?.machine === machine ? [{ name, startedAt, process }] : [],
    );
    return isolate(found.slice(0, limit));
  }

  async endClaims(node: NodeOfProcess, time: StoreTime): Promise<EndedClaims | undefined> {
    if (!this.isOf(node)) return undefined;
    const now = timeOf(time);
    const { outbox, bookmarkClaims, bulkBatches } = this.data;
    const messages = [...outbox.values()].filter(
      ({ readyAt, claimedBy, writtenBy, attempts }) =>
        readyAt !== undefined && readyAt > now && attempts === 0 && (claimedBy ?? writtenBy) === node.name,
    );
    for (const row of messages) outbox.put({ ...row, readyAt: now });
    const isHeld = ({ owner, until }: Claim): boolean => owner === node.name && until > now;
    const endAll = <C extends Claim>(claims: Map<string, C>, mayEnd: (claim: C) => boolean): number => {
      const held = [...claims].filter(([, claim]) => isHeld(claim) && mayEnd(claim));
      for (const [id, claim] of held) claims.set(id, { ...claim, until: now });
      return held.length;
    };
    const isFirst = ({ batch }: BulkBatchRow): boolean => batch.attempts <= 0;
    const ended = messages.length + endAll(bookmarkClaims, () => true) + endAll(bulkBatches, isFirst);
    return { ended, isComplete: true };
  }

  async forgetProcess(node: NodeOfProcess): Promise<void> {
    if (this.isOf(node)) this.nodes.set(node.name, { ...this.nodes.get(node.name)!, process: undefined });
  }

  private isOf({ name, startedAt, process: { machine, id } }: NodeOfProcess): boolean {
    const row = this.nodes.get(name);
    return (
      row?.process?.machine === machine && row.process.id === id && row.startedAt.getTime() === startedAt.getTime()
    );
  }

  private inOrder(): RuntimeNode[] {
    return [...this.nodes.values()].sort((left, right) => compareText(left.name, right.name));
  }
}

interface Claim {
  readonly owner: string | undefined;
  readonly until: number;
}
