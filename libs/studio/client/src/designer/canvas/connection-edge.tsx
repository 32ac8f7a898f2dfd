import { BaseEdge, type EdgeProps, getSmoothStepPath } from '@xyflow/react';
import { memo } from 'react';
import { useDesigner } from '../designer-context.js';
import type { CanvasEdge } from './picture.js';
import css from './canvas.module.css';

/** A connection; where the mouse is over it, or it is selected, it shows the ways to put something in, and to remove it. */
export const ConnectionEdge = memo(function ConnectionEdge(props: EdgeProps<CanvasEdge>) {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, markerEnd, data, selected } = props;
  const { store, actions, open } = useDesigner();
  const [path, x, y] = getSmoothStepPath({
    sourceX,
    sourceY,
    targetX,
    targetY,
    sourcePosition,
    targetPosition,
    borderRadius: 8,
  });
  return (
    <g className={css.edge} data-selected={selected || undefined}>
      <BaseEdge path={path} {...(markerEnd === undefined ? {} : { markerEnd })} interactionWidth={16} />
      {!store.isReadonly && data && (
        // By keyboard: select the connection in the properties, then Insert or Delete.
        <g className={css.edgeTools} aria-hidden transform={`translate(${x} ${y})`}>
          <g
            className={css.edgeTool}
            data-tool="insert"
            onClick={(event) => {
              event.stopPropagation();
              open({ kind: 'insert', target: { on: data.connection } });
            }}
          >
            <circle r={10} cx={store.state.level.kind === 'flowchart' ? -12 : 0} />
            <path d="M-16 0h8M-12 -4v8" transform={store.state.level.kind === 'flowchart' ? '' : 'translate(12 0)'} />
          </g>
          {store.state.level.kind === 'flowchart' && (
            <g
              className={css.edgeTool}
              data-tool="remove"
              onClick={(event) => {
                event.stopPropagation();
                actions.disconnect(data.connection.index);
              }}
            >
              <circle r={10} cx={12} />
              <path d="M9 -3l6 6M15 -3l-6 6" />
            </g>
          )}
        </g>
      )}
    </g>
  );
});
