import { NODE_LOST_MS, type RuntimeNode } from '@waymark/runtime/adapter';

/** As a node is shown: one that has said nothing for long is `Lost`, whatever it was. */
export interface NodeAnswer extends Omit<RuntimeNode, 'state'> {
  readonly state: RuntimeNode['state'] | 'Lost';
  /** The one that answers. */
  readonly isThis: boolean;
}

export const nodeAnswer = (node: RuntimeNode, now: number, ownName: string): NodeAnswer => ({
  ...node,
  state: now - node.seenAt.getTime() > NODE_LOST_MS ? 'Lost' : node.state,
  isThis: node.name === ownName,
});
