import '@xyflow/react/dist/base.css';
import {
  Background,
  type Connection as NewConnection,
  type FinalConnectionState,
  MiniMap,
  ReactFlow,
  SelectionMode,
  useReactFlow,
} from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { type DragEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Loading } from '../../parts/states.js';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesigner } from '../designer-context.js';
import { isWired, keyOf } from '../model/level.js';
import { STATE_TYPE } from '../model/state-machine.js';
import { useDraftRun } from '../run/draft-run.js';
import { Announcer } from './announcer.js';
import { ActivityNode } from './activity-node.js';
import { CanvasTools } from './canvas-tools.js';
import { ConnectionEdge } from './connection-edge.js';
import { EmptyCanvas } from './empty-canvas.js';
import { FarEdges } from './far-edges.js';
import { FarProvider } from './far.js';
import { LevelPath } from './level-path.js';
import { NoteNode } from './note-node.js';
import type { CanvasEdge, ShownNode } from './picture.js';
import { StateNode } from './state-node.js';
import { TransitionEdge } from './transition-edge.js';
import { useCanvasKeys } from './use-canvas-keys.js';
import { useClipboard } from './use-clipboard.js';
import { useOpening } from './use-opening.js';
import { usePicture } from './use-picture.js';
import css from './canvas.module.css';

const nodeTypes = { activity: ActivityNode, state: StateNode, note: NoteNode };
const edgeTypes = { connection: ConnectionEdge, transition: TransitionEdge };
/** Smaller than that, words cannot be read: nodes are blocks. */
const FAR = 0.45;
const FEW = 12;
const NO_EDGES: CanvasEdge[] = [];
const MINIMAP = { width: 160, height: 104 };

export const DRAGGED_TYPE = 'application/x-waymark-activity';

export function Canvas() {
  const { store, actions, catalogue, open, focusCanvas } = useDesigner();
  const { level, nodes, edges, isWaiting, isReadonly, onNodesChange, onEdgesChange } = usePicture();
  const flow = useReactFlow<ShownNode, CanvasEdge>();
  const colorMode = useComputedColorScheme('light');
  const frame = useRef<HTMLDivElement>(null);
  const [isFar, setFar] = useState(false);
  // A small picture is seen at once.
  const [wantsMinimap, setMinimap] = useState<boolean>();
  const hasMinimap = wantsMinimap ?? nodes.length > FEW;
  const onKeyDown = useCanvasKeys();
  useClipboard(frame);
  useEffect(() => {
    actions.middle = () => {
      const { left, top, width, height } = frame.current!.getBoundingClientRect();
      return flow.screenToFlowPosition({ x: left + width / 2 - 110, y: top + height / 2 - 28 });
    };
    actions.reveal = (id) => {
      frame.current?.focus({ preventScroll: true });
      const node = id === undefined ? undefined : flow.getNode(id);
      if (!node || !frame.current) return;
      const { left, top, right, bottom } = frame.current.getBoundingClientRect();
      const { x, y } = flow.flowToScreenPosition(node.position);
      const zoom = flow.getZoom();
      const isSeen = x > left && y > top && x + 220 * zoom < right && y + 60 * zoom < bottom;
      if (!isSeen)
        void flow.setCenter(node.position.x + 110, node.position.y + 28, { zoom: Math.max(zoom, 0.7), duration: 150 });
    };
  }, [actions, flow]);
  const showOpening = useOpening(frame);
  const { isOpen: isRunOpen } = useDraftRun();
  const isFirst = useRef(true);
  useEffect(() => {
    // The run takes a part of the canvas, or gives it back: nothing of the picture may be hidden by that.
    if (!isFirst.current) requestAnimationFrame(showOpening);
    isFirst.current = false;
  }, [isRunOpen, showOpening]);
  const onDrop = (event: DragEvent) => {
    const typeName = event.dataTransfer.getData(DRAGGED_TYPE);
    const descriptor = catalogue.all.find((known) => known.typeName === typeName);
    const isState = typeName === STATE_TYPE && level.kind === 'machine';
    if ((!descriptor && !isState) || isReadonly) return;
    event.preventDefault();
    const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const edge = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest('.react-flow__edge'))
      .find((found) => found !== null);
    const on = edges.find(({ id }) => id === edge?.getAttribute('data-id'))?.data?.connection;
    const target = { at: { x: x - 110, y: y - 28 }, on };
    focusCanvas(descriptor ? actions.insert(descriptor, target) : actions.addState(target));
  };
  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, { isValid, fromHandle, fromNode, toNode }: FinalConnectionState) => {
      // Let go over nothing: what shall come there?
      if (isValid || toNode || !fromNode || fromHandle?.type !== 'source' || store.isReadonly) return;
      const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event;
      const { x, y } = flow.screenToFlowPosition({ x: clientX, y: clientY });
      open({ kind: 'insert', target: { after: { id: fromNode.id, port: fromHandle.id! }, at: { x, y: y - 28 } } });
    },
    [flow, open, store],
  );
  const isValid = useCallback(
    ({ source, sourceHandle, target }: NewConnection | CanvasEdge) =>
      actions.canConnect(source, sourceHandle ?? 'Done', target),
    [actions],
  );
  return (
    <div
      ref={frame}
      className={css.canvas}
      role="application"
      aria-roledescription={texts.canvas}
      aria-label={texts.canvas}
      aria-description={texts.canvasHint}
      tabIndex={0}
      data-canvas
      onKeyDown={onKeyDown}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = isReadonly ? 'none' : 'copy';
      }}
      onDrop={onDrop}
    >
      <LevelPath />
      <Announcer />
      {isWaiting ? (
        <Loading />
      ) : (
        <FarProvider value={isFar}>
          <ReactFlow<ShownNode, CanvasEdge>
            // Another level is another picture: it is opened anew.
            key={keyOf(level.steps)}
            onInit={showOpening}
            colorMode={colorMode}
            nodes={nodes}
            edges={isFar ? NO_EDGES : edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onNodesChange={onNodesChange}
            onEdgesChange={onEdgesChange}
            onNodeDragStop={(_event, _node, dragged) =>
              actions.move(new Map(dragged.map(({ id, position }) => [id, position])))
            }
            onSelectionDragStop={(_event, dragged) =>
              actions.move(new Map(dragged.map(({ id, position }) => [id, position])))
            }
            onConnect={({ source, sourceHandle, target }) => actions.connect(source, sourceHandle ?? 'Done', target)}
            onConnectEnd={onConnectEnd}
            onReconnect={({ data }, { source, sourceHandle, target }) =>
              data && actions.reconnect(data.connection, source, sourceHandle ?? 'Done', target)
            }
            isValidConnection={isValid}
            onMove={(_event, { zoom }) => setFar(zoom < FAR)}
            edgesReconnectable={!isReadonly && isWired(level)}
            nodesConnectable={!isReadonly}
            disableKeyboardA11y
            connectOnClick={false}
            deleteKeyCode={null}
            selectionMode={SelectionMode.Partial}
            multiSelectionKeyCode={['Shift', 'Control', 'Meta']}
            zoomOnDoubleClick={false}
            onlyRenderVisibleElements
            elevateNodesOnSelect={false}
            snapToGrid
            snapGrid={[10, 10]}
            minZoom={0.02}
            maxZoom={2}
            proOptions={{ hideAttribution: true }}
          >
            <Background gap={20} />
            {isFar && <FarEdges nodes={nodes} edges={edges} />}
            {hasMinimap && nodes.length > 0 && (
              <MiniMap
                pannable
                zoomable
                ariaLabel={texts.tools.minimap}
                className={css.minimap!}
                style={MINIMAP}
                nodeStrokeWidth={6}
              />
            )}
            {nodes.length === 0 && <EmptyCanvas />}
            <CanvasTools hasMinimap={hasMinimap} onMinimap={setMinimap} />
          </ReactFlow>
        </FarProvider>
      )}
    </div>
  );
}
