import { BaseEdge, EdgeLabelRenderer, type EdgeProps, useInternalNode } from '@xyflow/react';
import { Filter, Zap } from 'lucide-react';
import { memo } from 'react';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesigner } from '../designer-context.js';
import { isTransition, labelOfTransition } from '../model/state-machine.js';
import type { CanvasEdge, CanvasNode } from './picture.js';
import { transitionCurve } from './transition-path.js';
import css from './canvas.module.css';

/** A transition of a state machine, with its name in the middle, and whether it has a trigger and a condition. */
export const TransitionEdge = memo(function TransitionEdge(props: EdgeProps<CanvasEdge>) {
  const { id, source, target, markerEnd, data, selected } = props;
  const { store, focusCanvas } = useDesigner();
  const from = useInternalNode<CanvasNode>(source);
  const to = useInternalNode<CanvasNode>(target);
  if (!from || !to || !data) return null;
  const frame = (node: typeof from) => ({
    ...node.internals.positionAbsolute,
    width: node.width ?? 0,
    height: node.height ?? 0,
  });
  const { path, x, y } = transitionCurve(frame(from), frame(to), data.lane);
  const json = isTransition(data.connection) ? data.connection.json : {};
  const { index } = data.connection;
  return (
    <>
      <BaseEdge id={id} path={path} {...(markerEnd === undefined ? {} : { markerEnd })} interactionWidth={16} />
      <EdgeLabelRenderer>
        <button
          type="button"
          className={`${css.transition} nopan nodrag`}
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          data-selected={selected || undefined}
          tabIndex={-1}
          aria-label={texts.machine.transitionOf(labelOfTransition(json))}
          onClick={() => {
            store.select([], [index]);
            focusCanvas();
          }}
        >
          {json.trigger && <Zap size={11} aria-label={texts.machine.hasTrigger} role="img" />}
          {labelOfTransition(json)}
          {hasCondition(json.condition) && <Filter size={11} aria-label={texts.machine.hasCondition} role="img" />}
        </button>
      </EdgeLabelRenderer>
    </>
  );
});

const hasCondition = (condition: unknown): boolean => {
  const { expression } = (condition ?? {}) as { expression?: { value?: unknown } | null };
  const value = expression?.value;
  return value !== undefined && value !== null && value !== '' && value !== true && String(value) !== 'True';
};
