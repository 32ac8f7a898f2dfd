import { createHash } from 'node:crypto';

/** Nodes of all instances that a connection observes. Those of further ones are left to requests of the client. */
const MOST_NODES = 20_000;

interface Statistic {
  readonly nodeId: string;
  /** As it is sent. */
  readonly text: string;
}

/** One that has not been sent, with the hashes by which it is remembered. */
export interface News extends Statistic {
  readonly node: number;
  readonly content: number;
}

/** What a connection has sent, by hashes: the texts of some large instances would take 50 MB, for as long as it is open. */
export class SentStatistics {
  private readonly contents = new Map<number, number>();

  /** Those that differ from what was sent last of their node, as long as all of them can be remembered. */
  news(workflowInstanceId: string, statistics: readonly Statistic[]): News[] {
    let left = MOST_NODES - this.contents.size;
    return statistics
      .map((one) => ({ ...one, node: hashOf(`${workflowInstanceId} ${one.nodeId}`), content: hashOf(one.text) }))
      .filter(({ node, content }) => {
        const sent = this.contents.get(node);
        return sent === undefined ? left-- > 0 : sent !== content;
      });
  }

  note(sent: readonly News[]): void {
    for (const { node, content } of sent) this.contents.set(node, content);
  }
}

/** 48 bits, which a number holds. */
const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6);
