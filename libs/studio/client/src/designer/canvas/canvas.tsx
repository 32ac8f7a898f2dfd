import '@xyflow/react/dist/base.css';
import { Background, ReactFlow, SelectionMode, type SnapGrid } from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isMany } from '../../graph/far/hidden-nodes.js';
import { NO_EDGES, useFarAway } from '../../graph/far/use-far-away.js';
import { Overview } from '../../graph/overview.js';
import { Loading } from '../../parts/states.js';
import { designerTexts as texts } from '../../texts/designer.js';
import { isWired, keyOf } from '../model/level.js';
import { useDraftRun } from '../run/draft-run.js';
import { Announcer } from './announcer.js';
import { ActivityNode } from './activity-node.js';
import { CanvasTools } from './canvas-tools.js';
import { ConnectionEdge } from './connection-edge.js';
import { EmptyCanvas } from './empty-canvas.js';
import { FarEdges } from './far-edges.js';
import { FarNodes } from './far-nodes.js';
import { FarProvider } from './far.js';
import { LevelPath } from './level-path.js';
import { NoteNode } from './note-node.js';
import type { CanvasEdge, ShownNode } from './picture.js';
import { StateNode } from './state-node.js';
import { TransitionEdge } from './transition-edge.js';
import { useCanvasKeys } from './use-canvas-keys.js';
import { useCanvasMouse } from './use-canvas-mouse.js';
import { useClipboard } from './use-clipboard.js';
import { useReveal } from './use-reveal.js';
import { useRevivedNode } from './use-revived-node.js';
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
  const { level, nodes, edges, isWaiting, isReadonly, onNodesChange, onEdgesChange } = usePicture();
  const colorMode = useComputedColorScheme('light');
  const frame = useRef<HTMLDivElement>(null);
  const isFar = useFarAway<ShownNode, CanvasEdge>();
  const { own, blocks, onHover, box } = useRevivedNode(nodes, isFar && isMany(nodes));
  // A small picture is seen at once.
  const [wantsMinimap, setMinimap] = useState<boolean>();
  const hasMinimap = wantsMinimap ?? nodes.length > FEW;
  const onKeyDown = useCanvasKeys();
  useClipboard(frame);
  useReveal(frame);
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
            nodes={own}
            edges={isFar ? NO_EDGES : edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onNodesChange={onNodesChange}
            onEdgesChange={onEdgesChange}
            {...mouse.flow}
            {...box}
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
            {blocks.length > 0 && <FarNodes nodes={blocks} onHover={onHover} />}
            {hasMinimap && nodes.length > 0 && <Overview nodes={nodes} colorMode={colorMode} />}
            {nodes.length === 0 && <EmptyCanvas />}
            <CanvasTools hasMinimap={hasMinimap} onMinimap={setMinimap} />
          </ReactFlow>
        </FarProvider>
      )}
    </div>
  );
}
