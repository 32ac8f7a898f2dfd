import { applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { ActivityJson } from '../../api/definitions.js';
import { GAP, layOut } from '../../graph/layout.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { type DesignerActions, gapOf } from '../store/actions.js';
import { NODE_WIDTH } from '../model/ports.js';
import { useRunPath } from '../run/draft-run.js';
import { type Level, placeAmong } from '../model/level.js';
import { takenPorts } from '../model/outcomes.js';
import { apart } from '../model/arrange.js';
import { isTransition } from '../model/state-machine.js';
import { type CanvasEdge, edgeFor, nodeFor, noteFor, type ShownNode } from './picture.js';
import { lanesOf } from './transition-path.js';

/** The nodes and edges of the level that is seen, and what the mouse does to them. */
export function usePicture() {
  const { store, actions, catalogue } = useDesigner();
  const level = useDesign((state) => state.level);
  const laidOut = useDesign((state) => state.laidOut);
  const selection = useDesign((state) => state.selection);
  const problems = useDesign((state) => state.problems);
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const [nodes, setNodes] = useState<ShownNode[]>([]);
  const path = useRunPath();
  const isWaiting = useLayout(level, actions);
  useLayoutEffect(() => {
    const problemsById = new Map(problems.map(({ activityId, message }) => [activityId, message]));
    const taken = level.kind === 'flowchart' ? takenPorts(level.connections) : undefined;
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]));
      // Two with one id are a problem that the server names; one of them can be shown.
      const shown = new Map(level.activities.toReversed().map((activity) => [activity.id, activity]));
      const notes = level.notes.map((note) => {
        const old = known.get(note.id);
        return noteFor(note, old?.type === 'note' ? old : undefined, selection.nodes.has(note.id), isReadonly);
      });
      const drawn = [...shown.values()].map((activity) => {
        const old = known.get(activity.id);
        return nodeFor(activity, old && old.type !== 'note' ? old : undefined, {
          catalogue,
          kind: level.kind,
          problem: problemsById.get(activity.id),
          ran: path?.nodes.get(activity.id),
          taken: taken?.get(activity.id),
          position: actions.positionOf(activity),
          isSelected: selection.nodes.has(activity.id),
          isReadonly,
        });
      });
      // Behind the activities.
      return [...notes, ...drawn];
    });
  }, [level, laidOut, selection, problems, isReadonly, catalogue, actions, path]);
  const edges = useMemo<CanvasEdge[]>(() => {
    const lanes = lanesOf(
      level.connections.filter(isTransition).map(({ index, source, target }) => ({ key: index, source, target })),
    );
    return level.connections.map((connection) =>
      edgeFor(
        connection,
        selection.edges.has(connection.index),
        lanes.get(connection.index),
        path?.connections.has(connection.index),
      ),
    );
  }, [level, selection.edges, path]);
  const onNodesChange = useCallback(
    (changes: NodeChange<ShownNode>[]) => {
      const moved = changes.filter(({ type }) => type === 'position');
      if (moved.length > 0) setNodes((before) => applyNodeChanges(moved, before));
      const chosen = changes.filter((change) => change.type === 'select');
      if (chosen.length === 0) return;
      const { nodes: now, edges: selectedEdges } = store.state.selection;
      const next = new Set(now);
      for (const { id, selected } of chosen)
        if (selected) next.add(id);
        else next.delete(id);
      store.select(next, selectedEdges);
    },
    [store],
  );
  const onEdgesChange = useCallback(
    (changes: EdgeChange<CanvasEdge>[]) => {
      const chosen = changes.filter((change) => change.type === 'select');
      if (chosen.length === 0) return;
      const next = new Set(store.state.selection.edges);
      for (const { id, selected } of chosen) {
        const index = Number(id.split(' ')[0]);
        if (selected) next.add(index);
        else next.delete(index);
      }
      store.select(store.state.selection.nodes, next);
    },
    [store],
  );
  return { level, nodes, edges, isWaiting, isReadonly, onNodesChange, onEdgesChange };
}

/** Activities that have no place get one for the screen, and nothing of it is stored. */
function useLayout(level: Level, actions: DesignerActions): boolean {
  const { store } = useDesigner();
  const laidOut = useDesign((state) => state.laidOut);
  const missing = level.activities.some(
    (activity) => !placeAmong(level.activities, activity) && !laidOut.has(activity.id),
  );
  useEffect(() => {
    if (!missing) return;
    let isCurrent = true;
    const picture = pictureFor(level, actions);
    void layOut(picture, Math.max(GAP, gapOf(level)))
      // In a row rather than not at all.
      .catch(() => new Map(picture.nodes.map(({ id }, index) => [id, { x: index * 290, y: 0 }])))
      .then((places) => {
        if (!isCurrent) return;
        const hasPlace = (activity: ActivityJson) => placeAmong(level.activities, activity) !== undefined;
        const boxesOf = (isPlaced: boolean) =>
          level.activities.filter((activity) => hasPlace(activity) === isPlaced).map((one) => actions.boxOf(one));
        store.setLaidOut(apart(places, boxesOf(true), boxesOf(false)));
      });
    return () => {
      isCurrent = false;
    };
  }, [missing, level, store, actions]);
  return missing;
}

/** A level as the layout takes it: each activity as high as it is drawn, or those with slots would lie on the ones below. */
export const pictureFor = ({ activities, connections }: Level, actions: DesignerActions) => {
  const known = new Set(activities.map(({ id }) => id));
  return {
    nodes: activities.map((activity) => ({
      id: activity.id,
      width: NODE_WIDTH,
      height: actions.boxOf(activity).height,
    })),
    edges: connections
      .filter(({ source, target }) => known.has(source) && known.has(target))
      .map(({ index, source, target }) => ({ id: String(index), source, target })),
  };
};
