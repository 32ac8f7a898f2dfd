import '@xyflow/react/dist/style.css';
import { Background, Controls, type Edge, MarkerType, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useComputedColorScheme } from '@mantine/core';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { graphTexts as texts } from '../texts/graph.js';
import { ActivityNode } from './activity-node.js';
import { Enlarged } from './enlarged.js';
import { FarGraph } from './far-graph.js';
import { EVERYTHING } from './far/hidden-nodes.js';
import { NO_EDGES, useFarAway } from './far/use-far-away.js';
import { layOut } from './layout.js';
import { Opened } from './opened.js';
import { Overview } from './overview.js';
import { firstOf } from './neighbour.js';
import { containersAround, findByNodeId, isAt, pictureOf } from './picture.js';
import { Revealed } from './revealed.js';
import { GraphPath } from './graph-path.js';
import { tellingPart } from './states-of-machine.js';
import { type GraphNode, MANY, overviewToneOf, useGraphNodes } from './use-graph-nodes.js';
import { useNodeStop } from './use-node-stop.js';
import type { WorkflowGraphProps } from './workflow-graph.js';
import css from './graph.module.css';

const nodeTypes = { activity: ActivityNode };
const FIT = { ...EVERYTHING, padding: 0.15 };

/** The picture of a definition, which cannot be changed. */
export const GraphView = (props: WorkflowGraphProps) => (
  <ReactFlowProvider>
    <Graph {...props} />
  </ReactFlowProvider>
);

function Graph({ root, states, counts, selectedNodeId, onSelect }: WorkflowGraphProps) {
  const [path, setPath] = useState<readonly string[]>([]);
  const chosenHere = useRef<string | undefined>(undefined);
  const [known, setKnown] = useState<string>();
  const colorMode = useComputedColorScheme('light');
  const container = (path.length > 0 ? findByNodeId(root, path.at(-1)!) : undefined) ?? root;
  const picture = useMemo(() => pictureOf(container), [container]);
  const shown = picture.nodes.find((node) => isAt(node, selectedNodeId));
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
  const { stop, frame, onKeyDown, onInit, goTo } = useNodeStop<GraphNode>(corners, shown?.id);
  const isFar = useFarAway<GraphNode, Edge>(true);
  const enter = useCallback((nodeId: string) => setPath((before) => [...before, nodeId]), []);
  const { nodes, own, blocks, hasManyMarks } = useGraphNodes({
    ...{ picture, corners, states, counts, isFar, stop },
    selected: selectedNodeId,
    onOpen: enter,
  });
  const choose = (id: string) => {
    const node = picture.nodes.find((one) => one.id === id);
    if (!node) return;
    const nodeId = (node.parts && tellingPart(node.parts, states)) ?? node.nodeId;
    chosenHere.current = nodeId;
    onSelect?.(nodeId);
  };
  const start = useMemo(
    () =>
      nodes.find(({ data }) => data.state?.isFaulted)?.id ??
      nodes.find(({ data }) => data.state?.tokens)?.id ??
      firstOf(corners),
    [nodes, corners],
  );
  const edges = useMemo<Edge[]>(
    () =>
      picture.edges.map(({ id, source, target, outcome }) => ({
        id,
        source,
        target,
        sourceHandle: outcome,
        ...(outcome === 'Done' ? {} : { label: labelOf(outcome) }),
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
      data-many={hasManyMarks || undefined}
      onKeyDown={onKeyDown}
    >
      {path.length > 0 && <GraphPath root={root} path={path} onOpen={setPath} />}
      {nodes.length === 0 ? (
        <EmptyState title={texts.empty} />
      ) : (
        <ReactFlow<GraphNode, Edge>
          // Another container is another picture: it is fitted anew.
          key={container.nodeId ?? container.id}
          colorMode={colorMode}
          nodes={own}
          edges={blocks.length > 0 ? NO_EDGES : edges}
          nodeTypes={nodeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          onlyRenderVisibleElements
          ariaLabelConfig={texts.aria}
          onInit={onInit}
          fitView
          fitViewOptions={FIT}
          minZoom={0.05}
          proOptions={{ hideAttribution: true }}
          // By mouse and by keyboard.
          onNodesChange={(changes) => {
            const chosen = changes.find((change) => change.type === 'select' && change.selected);
            if (chosen && 'id' in chosen) choose(chosen.id);
          }}
          onPaneClick={() => {
            chosenHere.current = undefined;
            onSelect?.(undefined);
          }}
        >
          {/* From afar its dots are a grey that costs as much as the picture. */}
          {blocks.length === 0 && <Background gap={16} />}
          {blocks.length > 0 && (
            <FarGraph
              blocks={blocks}
              picture={picture}
              corners={corners}
              onChoose={(id) => {
                choose(id);
                goTo(id);
              }}
            />
          )}
          <Controls showInteractive={false} fitViewOptions={FIT} />
          <Enlarged />
          {/* Of more there is an overview, and what stands out is enlarged. */}
          {nodes.length <= MANY && !counts && <Opened corners={corners} start={start} />}
          <Revealed id={selectedNodeId === chosenHere.current ? undefined : shown?.id} />
          {nodes.length > MANY && <Overview nodes={nodes} colorMode={colorMode} toneOf={overviewToneOf} />}
        </ReactFlow>
      )}
    </div>
  );
}

/** Longer labels would cover the nodes on both sides. */
const LONGEST_LABEL = 14;

const labelOf = (outcome: string) =>
  outcome.length <= LONGEST_LABEL ? (
    outcome
  ) : (
    <>
      <title>{outcome}</title>
      {`${outcome.slice(0, LONGEST_LABEL - 1).trimEnd()}…`}
    </>
  );
