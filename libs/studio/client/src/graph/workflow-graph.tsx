import { Suspense } from 'react';
import type { ActivityJson } from '../api/definitions.js';
import { lazyPart } from '../parts/lazy-part.js';
import { Loading } from '../parts/states.js';

/** What an instance did at a node. */
export interface NodeState {
  readonly started: number;
  readonly completed: number;
  /** Of the completed executions those that were cancelled. */
  readonly cancelled?: number | undefined;
  readonly isWaiting: boolean;
  readonly isFaulted: boolean;
  /** How many executions stand here now. */
  readonly tokens?: number | undefined;
  /** What those that have ended took together. */
  readonly durationMs?: number | undefined;
}

/** What is said of a node beside what an instance did there: how many instances wait, and how many failed. */
export interface NodeCounts {
  readonly waiting: number;
  readonly faulted: number;
  /** Of all of them at this level, from 0 to 1. */
  readonly share: number;
}

export interface WorkflowGraphProps {
  /** The root activity of a definition, with `nodeId`s where the API gives them. */
  readonly root: ActivityJson;
  /** By node id; nodes that are not in it were not reached. */
  readonly states?: ReadonlyMap<string, NodeState> | undefined;
  /** By node id, for a picture of many instances. */
  readonly counts?: ReadonlyMap<string, NodeCounts> | undefined;
  readonly selectedNodeId?: string | undefined;
  readonly onSelect?: ((nodeId: string | undefined) => void) | undefined;
}

const GraphView = lazyPart(() => import('./graph-view.js').then(({ GraphView: loaded }) => loaded));

/** A definition as a picture that cannot be changed. Its code is loaded when the first one is shown. */
export function WorkflowGraph(props: WorkflowGraphProps) {
  return (
    <Suspense fallback={<Loading />}>
      <GraphView {...props} />
    </Suspense>
  );
}
