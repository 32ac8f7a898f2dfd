import {
  type Connection as NewConnection,
  type FinalConnectionState,
  type OnMove,
  type OnNodeDrag,
  type OnReconnect,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, type MouseEvent, type RefObject, useMemo, useRef } from 'react';
import { useDesigner } from '../designer-context.js';
import { STATE_TYPE } from '../model/state-machine.js';
import type { CanvasEdge, ShownNode } from './picture.js';

export const DRAGGED_TYPE = 'application/x-waymark-activity';

/** From the hand to the corner of what is put there. */
const GRIP = { x: 110, y: 28 };

/**
 * What the mouse does on the canvas. The functions stay the same as long as the designer does: React Flow notifies every node and edge
 * of each new one, which with a thousand of them costs more than a frame has time for.
 */
export function useCanvasMouse(frame: RefObject<HTMLElement | null>) {
  const { store, actions, catalogue, open, focusCanvas } = useDesigner();
  const flow = useReactFlow<ShownNode, CanvasEdge>();
  const marked = useRef<Element>(undefined);
  return useMemo(() => {
    /** Shows on the connection that what is let go now is put into it. */
    const mark = (edge: Element | undefined) => {
      if (marked.current === edge) return;
      marked.current?.removeAttribute('data-drop');
      edge?.setAttribute('data-drop', '');
      marked.current = edge;
    };
    const connect = ({ source, sourceHandle, target }: NewConnection) =>
      actions.connect(source, sourceHandle ?? 'Done', target);
    const move = (dragged: readonly ShownNode[]) =>
      actions.move(new Map(dragged.map(({ id, position }) => [id, position])));

    const onDragOver = (event: DragEvent) => {
      event.preventDefault();
      event.dataTransfer.dropEffect = store.isReadonly ? 'none' : 'copy';
      mark(store.isReadonly ? undefined : edgeAt(event));
    };
    const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Element | null)) mark(undefined);
    };
    const onDrop = (event: DragEvent) => {
      mark(undefined);
      const typeName = event.dataTransfer.getData(DRAGGED_TYPE);
      const descriptor = catalogue.all.find((known) => known.typeName === typeName);
      const isState = typeName === STATE_TYPE && store.state.level.kind === 'machine';
      if ((!descriptor && !isState) || store.isReadonly) return;
      event.preventDefault();
      const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
      const on = flow.getEdge(edgeAt(event)?.getAttribute('data-id') ?? '')?.data?.connection;
      const target = { at: { x: x - GRIP.x, y: y - GRIP.y }, on };
      focusCanvas(descriptor ? actions.insert(descriptor, target) : actions.addState(target));
    };
    /** On nothing: what shall come there? */
    const onDoubleClick = ({ target, clientX, clientY }: MouseEvent) => {
      if (store.isReadonly || !(target as Element).classList.contains('react-flow__pane')) return;
      const { x, y } = flow.screenToFlowPosition({ x: clientX, y: clientY });
      open({ kind: 'insert', target: { at: { x: x - GRIP.x, y: y - GRIP.y } } });
    };
    const onConnectEnd = (event: globalThis.MouseEvent | TouchEvent, connection: FinalConnectionState) => {
      const { isValid, fromHandle, fromNode, toNode } = connection;
      if (isValid || toNode || !fromNode || fromHandle?.type !== 'source' || store.isReadonly) return;
      const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event;
      const port = fromHandle.id!;
      // Anywhere on an activity is meant for it: its way in is a small goal.
      const goal = document.elementFromPoint(clientX, clientY)?.closest('.react-flow__node')?.getAttribute('data-id');
      if (goal) return actions.connect(fromNode.id, port, goal);
      // Let go over nothing: what shall come there?
      const { x, y } = flow.screenToFlowPosition({ x: clientX, y: clientY });
      open({ kind: 'insert', target: { after: { id: fromNode.id, port }, at: { x, y: y - GRIP.y } } });
    };
    const onReconnect: OnReconnect<CanvasEdge> = ({ data }, { source, sourceHandle, target }) => {
      if (data) actions.reconnect(data.connection, source, sourceHandle ?? 'Done', target);
    };
    const onNodeDragStop: OnNodeDrag<ShownNode> = (_event, _node, dragged) => move(dragged);
    const onSelectionDragStop = (_event: unknown, dragged: ShownNode[]) => move(dragged);
    const isValidConnection = ({ source, sourceHandle, target }: NewConnection | CanvasEdge) =>
      actions.canConnect(source, sourceHandle ?? 'Done', target);
    /** While it is panned, the picture is a layer of its own: it is moved, not drawn again. Zoomed, its words would be blurred. */
    const onMoveStart: OnMove = (event) =>
      event?.type.startsWith('mouse') && frame.current?.setAttribute('data-panning', '');
    const onMoveEnd: OnMove = () => frame.current?.removeAttribute('data-panning');
    return {
      frame: { onDragOver, onDragLeave, onDrop, onDoubleClick },
      flow: {
        onConnect: connect,
        onConnectEnd,
        onReconnect,
        onNodeDragStop,
        onSelectionDragStop,
        isValidConnection,
        onMoveStart,
        onMoveEnd,
      },
    };
  }, [store, actions, catalogue, open, focusCanvas, flow, frame]);
}

/** The edge under the mouse. */
const edgeAt = ({ clientX, clientY }: DragEvent): Element | undefined =>
  document
    .elementsFromPoint(clientX, clientY)
    .map((element) => element.closest('.react-flow__edge'))
    .find((found) => found !== null);
