import type { NodeStore, RuntimeNode } from '../node-store.js';
import { isolate } from './isolate.js';
import { compareText } from './ordering.js';

export class MemoryNodeStore implements NodeStore {
  private readonly nodes = new Map<string, RuntimeNode>();

  async announce(node: RuntimeNode): Promise<void> {
    this.nodes.set(node.name, isolate(node));
  }

  async list(limit: number): Promise<RuntimeNode[]> {
    const nodes = [...this.nodes.values()].sort((left, right) => compareText(left.name, right.name));
    return isolate(nodes.slice(0, limit));
  }

  async remove(name: string): Promise<void> {
    this.nodes.delete(name);
  }

  async purge(before: Date): Promise<number> {
    const old = [...this.nodes.values()].filter(({ seenAt }) => seenAt < before);
    for (const { name } of old) this.nodes.delete(name);
    return old.length;
  }
}
