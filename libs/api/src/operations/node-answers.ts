import { NODE_LOST_MS, type RuntimeNode } from '@waymark/runtime/adapter';

/** A node as the API shows it: `Lost` when its last heartbeat is too old, whatever state it had. */
export interface NodeAnswer extends Omit<RuntimeNode, 'state' | 'process'> {
  readonly state: RuntimeNode['state'] | 'Lost';
  /** True for the node that answers the request. */
  readonly isThis: boolean;
}

/** Without its process, which is for the nodes of its machine only. */
export const nodeAnswer = ({ process: _process, ...node }: RuntimeNode, now: number, ownName: string): NodeAnswer => ({
  ...node,
  state: now - node.seenAt.getTime() > NODE_LOST_MS ? 'Lost' : node.state,
  isThis: node.name === ownName,
});
