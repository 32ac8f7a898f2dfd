import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { NodeStatistic } from '../activity-executions/node-statistics.js';

/** Nodes of all instances that a connection observes. Those of further ones are left to requests of the client. */
const MOST_NODES = 20_000;
/** Nodes that are looked at before other requests get their turn. */
const NODES_OF_TURN = 1000;

/** Statistics of a node that have not been sent, with the hashes by which they are remembered. */
export interface News {
  readonly node: number;
  readonly content: number;
  /** As they are sent. */
  readonly text: string;
}

/** What a connection has sent, by hashes: the texts of some large instances would take 50 MB, for as long as it is open. */
export class SentStatistics {
  private readonly contents = new Map<number, number>();

  /**
   * Those that differ from what was sent last of their node, as long as all of them can be remembered.
   * @param maxLength of a text: longer ones are left to requests of the client, too
   */
  async news(workflowInstanceId: string, statistics: readonly NodeStatistic[], maxLength: number): Promise<News[]> {
    const found: News[] = [];
    let left = MOST_NODES - this.contents.size;
    for (const [i, one] of statistics.entries()) {
      if (i % NODES_OF_TURN === NODES_OF_TURN - 1) await setImmediate();
      const text = JSON.stringify(one);
      if (text.length >= maxLength) continue;
      const node = hashOf(`${workflowInstanceId} ${one.activityNodeId}`);
      const content = hashOf(text);
      const sent = this.contents.get(node);
      if (sent === undefined ? left-- > 0 : sent !== content) found.push({ node, content, text });
    }
    return found;
  }

  note(sent: readonly News[]): void {
    for (const { node, content } of sent) this.contents.set(node, content);
  }
}

/** 48 bits, which a number holds. */
const hashOf = (text: string): number => parseInt(hash('sha256', text, 'hex').slice(0, 12), 16);
