import '@xyflow/react/dist/style.css';
import { Background, Controls, type Edge, MarkerType, MiniMap, type Node, ReactFlow } from '@xyflow/react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useComputedColorScheme } from '@mantine/core';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { graphTexts as texts } from '../texts/graph.js';
import { ActivityNode, type ActivityNodeData, shownType, toneOf } from './activity-node.js';
import { Enlarged } from './enlarged.js';
import { layOut, NODE_HEIGHT, NODE_WIDTH } from './layout.js';
import { containersAround, findByNodeId, pictureOf } from './picture.js';
import { Revealed } from './revealed.js';
import { useNodeStop } from './use-node-stop.js';
import type { NodeCounts, NodeState, WorkflowGraphProps } from './workflow-graph.js';
import css from './graph.module.css';

const nodeTypes = { activity: ActivityNode };
const MANY = 40;
/** Above the nodes that say nothing: what they say is larger than themselves where the picture is small. */
const zIndexOf = (counts: NodeCounts | undefined, state: NodeState | undefined): number =>
  counts ? 2 + Math.round(counts.share * 100) : state && (state.isFaulted || state.tokens) ? 1 : 0;

function minimapColour({ data: { counts, state } }: Node<ActivityNodeData>): string {
  if ((counts?.faulted ?? 0) > 0 || state?.isFaulted) return 'var(--status-faulted)';
  if (counts || state?.isWaiting) return 'var(--status-waiting)';
  return 'var(--xy-minimap-node-background-color-default)';
}

export function GraphView({ root, states, counts, selectedNodeId, onSelect }: WorkflowGraphProps) {
  const [path, setPath] = useState<readonly string[]>([]);
  const chosenHere = useRef<string | undefined>(undefined);
  const [known, setKnown] = useState<string>();
  const colorMode = useComputedColorScheme('light');
  const container = (path.length > 0 ? findByNodeId(root, path.at(-1)!) : undefined) ?? root;
  const picture = useMemo(() => pictureOf(container), [container]);
  const shown = picture.nodes.find(({ nodeId }) => nodeId === selectedNodeId);
  if (selectedNodeId !== known) {
    setKnown(selectedNodeId);
    // Chosen elsewhere, such as in the journal: the picture goes to where it stands.
    const isElsewhere = selectedNodeId !== undefined && !shown && selectedNodeId !== chosenHere.current;
    const around = isElsewhere ? containersAround(root, selectedNodeId) : undefined;
    if (around) setPath(around);
  }
  const places = useQuery({
    queryKey: ['graph', picture],
    queryFn: () => layOut(picture),
    enabled: !picture.hasPositions,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const corners = useMemo(
    () =>
      picture.nodes.map(({ id, position }) => ({
        id,
        ...((picture.hasPositions ? position : places.data?.get(id)) ?? { x: 0, y: 0 }),
      })),
    [picture, places.data],
  );
  const { stop, frame, onKeyDown, onInit } = useNodeStop<Node<ActivityNodeData>>(corners, shown?.id);
  const nodes = useMemo<Node<ActivityNodeData>[]>(
    () =>
      picture.nodes.map(({ id, nodeId, activity, outcomes, isContainer }, index) => ({
        id,
        type: 'activity',
        position: corners[index]!,
        data: {
          activity,
          outcomes,
          state: states?.get(nodeId),
          counts: counts?.get(nodeId),
          onOpen: isContainer ? () => setPath([...path, nodeId]) : undefined,
          isStop: id === stop,
        },
        domAttributes: { tabIndex: id === stop ? 0 : -1 },
        selected: nodeId === selectedNodeId,
        zIndex: zIndexOf(counts?.get(nodeId), states?.get(nodeId)),
        width: NODE_WIDTH,
        // Nodes far away are not drawn before the view shows them, and so never measured.
        measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
        ariaLabel: texts.node(activity.name || activity.id, shownType(activity.type), toneOf(states?.get(nodeId))),
      })),
    [picture, corners, stop, states, counts, selectedNodeId, path],
  );
  const marked = nodes.filter(({ data }) => data.counts || data.state?.tokens || data.state?.isFaulted).length;
  const edges = useMemo<Edge[]>(
    () =>
      picture.edges.map(({ id, source, target, outcome }) => ({
        id,
        source,
        target,
        sourceHandle: outcome,
        ...(outcome === 'Done' ? {} : { label: outcome }),
        type: 'smoothstep',
        markerEnd: { type: MarkerType.ArrowClosed },
        focusable: false,
      })),
    [picture],
  );
  if (places.isError) return <ErrorPanel error={places.error} onRetry={() => void places.refetch()} />;
  if (!picture.hasPositions && places.isPending) return <Loading />;
  return (
    <div
      ref={frame}
      className={css.graph}
      role="group"
      aria-label={texts.label}
      data-many={marked > MANY || undefined}
      onKeyDown={onKeyDown}
    >
      {path.length > 0 && (
        <nav className={css.path} aria-label={texts.path}>
          <button type="button" onClick={() => setPath([])}>
            {root.name || root.id}
          </button>
          {path.map((nodeId, index) => (
            <button key={nodeId} type="button" onClick={() => setPath(path.slice(0, index + 1))}>
              {nodeId.split(':').at(-1)}
            </button>
          ))}
        </nav>
      )}
      {nodes.length === 0 ? (
        <EmptyState title={texts.empty} />
      ) : (
        <ReactFlow
          // Another container is another picture: it is fitted anew.
          key={container.nodeId ?? container.id}
          colorMode={colorMode}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          onlyRenderVisibleElements
          ariaLabelConfig={texts.aria}
          onInit={onInit}
          fitView
          fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
          minZoom={0.05}
          proOptions={{ hideAttribution: true }}
          // By mouse and by keyboard.
          onNodesChange={(changes) => {
            const chosen = changes.find((change) => change.type === 'select' && change.selected);
            const node = chosen && picture.nodes.find(({ id }) => 'id' in chosen && id === chosen.id);
            if (!node) return;
            chosenHere.current = node.nodeId;
            onSelect?.(node.nodeId);
          }}
          onPaneClick={() => {
            chosenHere.current = undefined;
            onSelect?.(undefined);
          }}
        >
          <Background gap={16} />
          <Controls showInteractive={false} />
          <Enlarged />
          <Revealed id={shown?.nodeId === chosenHere.current ? undefined : shown?.id} />
          {nodes.length > MANY && (
            <MiniMap
              nodeColor={minimapColour}
              nodeStrokeWidth={3}
              style={{ height: (160 * NODE_HEIGHT) / NODE_WIDTH + 60 }}
            />
          )}
        </ReactFlow>
      )}
    </div>
  );
}
