import type { NodeState } from './workflow-graph.js';

export type NodeTone = 'faulted' | 'waiting' | 'running' | 'finished' | 'cancelled';

/** What a node has to say of an instance, the most urgent first. `undefined`: it was not reached. */
export function toneOf(state: NodeState | undefined): NodeTone | undefined {
  if (!state) return undefined;
  const { isFaulted, isWaiting, started, completed, cancelled = 0 } = state;
  if (isFaulted) return 'faulted';
  if (isWaiting) return 'waiting';
  if (completed < started) return 'running';
  return cancelled > 0 && cancelled === completed ? 'cancelled' : 'finished';
}
