import type { Node } from '@xyflow/react';
import { useMemo } from 'react';
import { graphTexts as texts } from '../texts/graph.js';
import { type ActivityNodeData, shownType } from './activity-node.js';
import { nameOf } from './name-of-activity.js';
import { hiddenOf, isMany } from './far/hidden-nodes.js';
import { NODE_HEIGHT, NODE_WIDTH } from './layout.js';
import type { NodePlace } from './neighbour.js';
import { isAt, type Picture } from './picture.js';
import { countsOfParts, stateOfParts } from './states-of-machine.js';
import { toneOf } from './tone.js';
import type { NodeCounts, NodeState } from './workflow-graph.js';

export type GraphNode = Node<ActivityNodeData, 'activity'>;

/** With more, what is enlarged would cover the picture. */
export const MANY = 40;

/** Above the nodes that say nothing: what they say is larger than themselves where the picture is small. */
const zIndexOf = (counts: NodeCounts | undefined, state: NodeState | undefined): number =>
  counts ? 2 + Math.round(counts.share * 100) : state && (state.isFaulted || state.tokens) ? 1 : 0;

const isMarked = ({ data: { counts, state } }: GraphNode): boolean =>
  counts !== undefined || Boolean(state?.tokens) || state?.isFaulted === true;

/** What stands out in the overview. */
export function overviewToneOf({ data }: Node): 'faulted' | 'waiting' | undefined {
  const { counts, state } = data as ActivityNodeData;
  if ((counts?.faulted ?? 0) > 0 || state?.isFaulted) return 'faulted';
  return counts || state?.isWaiting ? 'waiting' : undefined;
}

interface GraphNodesOptions {
  readonly picture: Picture;
  readonly corners: readonly NodePlace[];
  readonly states: ReadonlyMap<string, NodeState> | undefined;
  readonly counts: ReadonlyMap<string, NodeCounts> | undefined;
  /** Where Tab stops. */
  readonly stop: string | undefined;
  /** Node id of the one that is shown beside the picture. */
  readonly selected: string | undefined;
  readonly isFar: boolean;
  /** Opens the level within a node. */
  readonly onOpen: (nodeId: string) => void;
}

interface GraphNodes {
  /** All of them. */
  readonly nodes: readonly GraphNode[];
  /** As React Flow draws them: those that are blocks are hidden. */
  readonly own: GraphNode[];
  readonly blocks: readonly GraphNode[];
  /** If true, more stand out than there is room to enlarge. */
  readonly hasManyMarks: boolean;
}

/** The nodes of a level; of a large one from afar only those that say something are whole, and that at which the keyboard is. */
export function useGraphNodes(options: GraphNodesOptions): GraphNodes {
  const { picture, corners, states, counts, stop, selected, isFar, onOpen } = options;
  const plain = useMemo<GraphNode[]>(
    () =>
      picture.nodes.map(({ id, nodeId, activity, outcomes, isContainer, parts }, index) => {
        const state = states && (parts ? stateOfParts(parts, states) : states.get(nodeId));
        const count = counts && (parts ? countsOfParts(parts, counts) : counts.get(nodeId));
        return {
          id,
          type: 'activity',
          position: corners[index]!,
          data: {
            activity,
            outcomes,
            state,
            counts: count,
            onOpen: isContainer ? () => onOpen(parts ? activity.nodeId! : nodeId) : undefined,
            isStop: false,
          },
          domAttributes: { tabIndex: -1 },
          zIndex: zIndexOf(count, state),
          width: NODE_WIDTH,
          // Nodes far away are not drawn before the view shows them, and so never measured.
          measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
          ariaLabel: texts.node(nameOf(activity), shownType(activity.type), toneOf(state)),
        };
      }),
    [picture, corners, states, counts, onOpen],
  );
  const chosen = picture.nodes.find((node) => isAt(node, selected))?.id;
  const nodes = useMemo(
    () =>
      plain.map((node) => {
        if (node.id !== stop && node.id !== chosen) return node;
        const isStop = node.id === stop;
        return {
          ...node,
          data: { ...node.data, isStop },
          domAttributes: { tabIndex: isStop ? 0 : -1 },
          selected: node.id === chosen,
        };
      }),
    [plain, stop, chosen],
  );
  const hasManyMarks = useMemo(() => plain.filter(isMarked).length > MANY, [plain]);
  const isBlocks = isFar && isMany(nodes);
  const [own, blocks] = useMemo(() => {
    if (!isBlocks) return [nodes, []];
    const isWhole = (node: GraphNode) => node.id === stop || node.id === chosen || (!hasManyMarks && isMarked(node));
    return [nodes.map((node) => (isWhole(node) ? node : hiddenOf(node))), nodes.filter((node) => !isWhole(node))];
  }, [nodes, isBlocks, hasManyMarks, stop, chosen]);
  return { nodes, own, blocks, hasManyMarks };
}
