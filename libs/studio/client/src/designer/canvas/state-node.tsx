import { Handle, type NodeProps, Position } from '@xyflow/react';
import { CirclePlay, CornerDownRight, Plus } from 'lucide-react';
import { memo } from 'react';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesigner } from '../designer-context.js';
import { useFar } from './far.js';
import type { CanvasNode } from './picture.js';
import { RunMark } from './run-mark.js';
import css from './canvas.module.css';

/** A state of a machine: its name, and what runs when it is entered and left. */
export const StateNode = memo(function StateNode({ id, data, selected }: NodeProps<CanvasNode>) {
  const { store, open } = useDesigner();
  const { activity, slots } = data;
  const name = activity.name ?? '';
  const canEdit = !store.isReadonly;
  if (useFar()) return <div className={css.block} data-selected={selected || undefined} />;
  return (
    <div
      className={css.state}
      data-selected={selected || undefined}
      data-final={activity.isFinal === true || undefined}
      data-ran={data.ran?.tone}
    >
      <Handle id="In" type="target" position={Position.Left} className={css.handle} style={{ top: 28 }} />
      <div className={css.head}>
        {activity.isInitial === true && (
          <CirclePlay size={16} className={css.starts} role="img" aria-label={texts.machine.begins} />
        )}
        <span className={css.text}>
          <span className={css.name} dir="auto" title={name}>
            {name}
          </span>
          <span className={css.type}>{activity.isFinal === true ? texts.machine.final : texts.machine.state}</span>
        </span>
        {data.ran && <RunMark ran={data.ran} />}
      </div>
      <div className={css.slots}>
        {slots.map((slot) => (
          <button
            key={slot.label}
            type="button"
            className={css.slot}
            data-filled={slot.isFilled || undefined}
            tabIndex={-1}
            aria-label={texts.node.open(slot.label, name)}
            onClick={() => store.enter([...store.state.level.steps, { id, slot: slot.path }])}
          >
            <span>{slot.label}</span>
            {slot.isFilled ? <CornerDownRight size={12} aria-hidden /> : <Plus size={12} aria-hidden />}
          </button>
        ))}
      </div>
      <Handle
        id="Done"
        type="source"
        position={Position.Right}
        className={css.handle}
        style={{ top: 28 }}
        isConnectable={canEdit}
        title={canEdit ? texts.machine.addAfter(name) : name}
        onClick={() => canEdit && open({ kind: 'insert', target: { after: { id, port: 'Done' } } })}
      />
    </div>
  );
});
