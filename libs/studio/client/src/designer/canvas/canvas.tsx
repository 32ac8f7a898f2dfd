import '@xyflow/react/dist/base.css';
import { Background, ReactFlow, SelectionMode, type SnapGrid, useReactFlow } from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Loading } from '../../parts/states.js';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesigner } from '../designer-context.js';
import { isWired, keyOf } from '../model/level.js';
import { useDraftRun } from '../run/draft-run.js';
import { Announcer } from './announcer.js';
import { ActivityNode } from './activity-node.js';
import { CanvasTools } from './canvas-tools.js';
import { ConnectionEdge } from './connection-edge.js';
import { durationOf } from './duration-of.js';
import { EmptyCanvas } from './empty-canvas.js';
import { FarEdges } from './far-edges.js';
import { FarProvider } from './far.js';
import { LevelPath } from './level-path.js';
import { NoteNode } from './note-node.js';
import { Overview } from './overview.js';
import type { CanvasEdge, ShownNode } from './picture.js';
import { StateNode } from './state-node.js';
import { TransitionEdge } from './transition-edge.js';
import { useCanvasKeys } from './use-canvas-keys.js';
import { useCanvasMouse } from './use-canvas-mouse.js';
import { useClipboard } from './use-clipboard.js';
import { FAR, NO_EDGES, useFarAway } from './use-far-away.js';
import { useOpening } from './use-opening.js';
import { usePicture } from './use-picture.js';
import css from './canvas.module.css';

const nodeTypes = { activity: ActivityNode, state: StateNode, note: NoteNode };
const edgeTypes = { connection: ConnectionEdge, transition: TransitionEdge };
const FEW = 12;
// The same ones each time: React Flow notifies every node and edge of new ones.
const GRID: SnapGrid = [10, 10];
const MORE_KEYS = ['Shift', 'Control', 'Meta'];
const PRO = { hideAttribution: true };

export function Canvas() {
  const { actions } = useDesigner();
  const { level, nodes, edges, isWaiting, isReadonly, onNodesChange, onEdgesChange } = usePicture();
  const flow = useReactFlow<ShownNode, CanvasEdge>();
  const colorMode = useComputedColorScheme('light');
  const frame = useRef<HTMLDivElement>(null);
  const isFar = useFarAway();
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
    actions.reveal = (id, isRead = false) => {
      frame.current?.focus({ preventScroll: true });
      const node = id === undefined ? undefined : flow.getNode(id);
      if (!node || !frame.current) return;
      const { left, top, right, bottom } = frame.current.getBoundingClientRect();
      const { x, y } = flow.flowToScreenPosition(node.position);
      const zoom = flow.getZoom();
      const isSeen = x > left && y > top && x + 220 * zoom < right && y + 60 * zoom < bottom;
      // Far away, even what is seen is one block among thousands.
      if (!isSeen || (isRead && zoom < FAR))
        void flow.setCenter(node.position.x + 110, node.position.y + 28, {
          zoom: Math.max(zoom, 0.7),
          duration: durationOf(150),
        });
    };
  }, [actions, flow]);
  useEffect(() => {
    // What led here is gone: its keys work at once.
    if (!document.activeElement || document.activeElement.matches('body, #content'))
      frame.current?.focus({ preventScroll: true });
  }, []);
  const showOpening = useOpening(frame);
  const { isOpen: isRunOpen } = useDraftRun();
  const isFirst = useRef(true);
  useEffect(() => {
    // The run takes a part of the canvas, or gives it back: nothing of the picture may be hidden by that.
    if (!isFirst.current) requestAnimationFrame(showOpening);
    isFirst.current = false;
  }, [isRunOpen, showOpening]);
  const mouse = useCanvasMouse(frame);
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
      {...mouse.frame}
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
            {...mouse.flow}
            edgesReconnectable={!isReadonly && isWired(level)}
            nodesConnectable={!isReadonly}
            disableKeyboardA11y
            connectOnClick={false}
            deleteKeyCode={null}
            selectionMode={SelectionMode.Partial}
            multiSelectionKeyCode={MORE_KEYS}
            zoomOnDoubleClick={false}
            onlyRenderVisibleElements
            elevateNodesOnSelect={false}
            snapToGrid
            snapGrid={GRID}
            minZoom={0.02}
            maxZoom={2}
            proOptions={PRO}
          >
            {/* From afar its dots are a grey that costs as much as the picture. */}
            {!isFar && <Background gap={20} />}
            {isFar && <FarEdges nodes={nodes} edges={edges} />}
            {hasMinimap && nodes.length > 0 && <Overview nodes={nodes} colorMode={colorMode} />}
            {nodes.length === 0 && <EmptyCanvas />}
            <CanvasTools hasMinimap={hasMinimap} onMinimap={setMinimap} />
          </ReactFlow>
        </FarProvider>
      )}
    </div>
  );
}
