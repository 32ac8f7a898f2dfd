import '@xyflow/react/dist/base.css';
import {
  Background,
  BaseEdge,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useInternalNode,
} from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import type { ActivityJson } from '../../api/definitions.js';
import { layOut } from '../../graph/layout.js';
import { Loading } from '../../parts/states.js';
import { compareTexts as texts } from '../../texts/compare.js';
import { iconOf } from '../canvas/category-look.js';
import { lanesOf, transitionCurve } from '../canvas/transition-path.js';
import { nameOf, typeName } from '../canvas/names.js';
import { type Box, free } from '../model/arrange.js';
import type { Design } from '../model/change.js';
import type { ActivityCatalogue } from '../model/descriptors.js';
import { placeAmong, positionOf } from '../model/level.js';
import { NODE_WIDTH } from '../model/ports.js';
import type { DifferenceKind, Differences } from './diff.js';
import { KindMark } from './difference-list.js';
import { bothLevels } from './both-levels.js';
import css from './difference-picture.module.css';

type DifferenceNodeData = {
  readonly activity: ActivityJson;
  readonly kind: DifferenceKind | undefined;
  readonly type: string;
  readonly category: string | undefined;
};

const HEIGHT = 56;
const TRANSITION_GAP = 190;

const DifferenceNode = memo(function DifferenceNode({ data, selected }: NodeProps<Node<DifferenceNodeData>>) {
  const { activity, kind, type, category } = data;
  const Icon = iconOf(category);
  return (
    <div className={css.node} data-kind={kind} data-selected={selected || undefined}>
      <Handle type="target" position={Position.Left} className={css.handle} isConnectable={false} />
      <Icon size={16} aria-hidden />
      <span className={css.text}>
        <strong>{nameOf(activity)}</strong>
        <small>{type}</small>
      </span>
      {kind && (
        <span className={css.mark}>
          <KindMark kind={kind} />
        </span>
      )}
      <Handle type="source" position={Position.Right} className={css.handle} isConnectable={false} />
    </div>
  );
});

/** Between states, in lanes where there are several: back and forth do not lie on each other. */
const DifferenceTransition = memo(function DifferenceTransition(props: EdgeProps<Edge<{ lane: number }>>) {
  const { id, source, target, markerEnd, label, data } = props;
  const [from, to] = [useInternalNode(source), useInternalNode(target)];
  if (!from || !to) return null;
  const [start, end] = [from, to].map(({ position }) => ({ ...position, width: NODE_WIDTH, height: HEIGHT }));
  const { path, x, y } = transitionCurve(start!, end!, data?.lane ?? 0);
  return (
    <BaseEdge
      id={id}
      path={path}
      label={label}
      labelX={x}
      labelY={y}
      {...(markerEnd === undefined ? {} : { markerEnd })}
    />
  );
});

const nodeTypes = { difference: DifferenceNode };
const edgeTypes = { transition: DifferenceTransition };

interface DifferencePictureProps {
  readonly from: Design;
  readonly to: Design;
  readonly differences: Differences;
  readonly catalogue: ActivityCatalogue;
  /** Key of the container that is shown. @default the root */
  readonly parent: string | undefined;
  readonly selected: string | undefined;
}

/** Both versions on top of each other: what is gone is there as a ghost. */
export function DifferencePicture({ from, to, differences, catalogue, parent, selected }: DifferencePictureProps) {
  const colorMode = useComputedColorScheme('light');
  const level = useMemo(() => bothLevels(from, to, differences, parent), [from, to, differences, parent]);
  const all = useMemo(() => level.nodes.map(({ activity }) => activity), [level]);
  const hasPlaces = level.nodes.every(({ activity }) => placeAmong(all, activity));
  const places = useQuery({
    queryKey: ['graph', 'compare', level],
    queryFn: () =>
      layOut(
        {
          nodes: level.nodes.map(({ key }) => ({ id: key, width: NODE_WIDTH, height: HEIGHT })),
          edges: level.edges,
        },
        // Names of transitions stand between states.
        level.edges.some(({ isTransition }) => isTransition) ? TRANSITION_GAP : undefined,
      ),
    enabled: !hasPlaces,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const nodes = useMemo<Node<DifferenceNodeData>[]>(() => {
    const taken: Box[] = [];
    return level.nodes.map(({ key, activity, kind }) => {
      const descriptor = catalogue.of(activity);
      const own = (hasPlaces ? positionOf(activity) : places.data?.get(key)) ?? { x: 0, y: 0 };
      // What is gone may have stood where something new stands now.
      const position = kind === 'removed' ? free(own, taken) : own;
      taken.push({ id: key, ...position, height: HEIGHT });
      return {
        id: key,
        type: 'difference',
        position,
        width: NODE_WIDTH,
        height: HEIGHT,
        measured: { width: NODE_WIDTH, height: HEIGHT },
        selected: key === selected,
        focusable: false,
        ariaLabel: [nameOf(activity), kind && texts.kinds[kind]].filter(Boolean).join(', '),
        data: { activity, kind, type: typeName(activity.type, descriptor), category: descriptor?.category },
      };
    });
  }, [level, catalogue, hasPlaces, places.data, selected]);
  const edges = useMemo<Edge[]>(() => {
    const lanes = lanesOf(level.edges.map(({ id, source, target }) => ({ key: id, source, target })));
    return level.edges.map(({ id, source, target, port, kind, isTransition }) => ({
      id,
      source,
      target,
      type: isTransition ? 'transition' : 'smoothstep',
      data: { lane: lanes.get(id) ?? 0 },
      className: [kind && css[kind], id === selected && css.chosen].filter(Boolean).join(' '),
      ...(port === 'Done' || port === '' ? {} : { label: kind ? `${port} · ${texts.kinds[kind]}` : port }),
      markerEnd: { type: MarkerType.ArrowClosed },
      focusable: false,
    }));
  }, [level, selected]);
  if (!hasPlaces && places.isPending) return <Loading />;
  return (
    <div className={css.picture} role="group" aria-label={texts.picture}>
      <ReactFlow
        key={parent ?? ''}
        colorMode={colorMode}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        onlyRenderVisibleElements
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.05}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} />
      </ReactFlow>
    </div>
  );
}
