import { Handle, type NodeProps, Position } from '@xyflow/react';
import { CirclePlay, CircleAlert, CornerDownRight, ExternalLink, Plus } from 'lucide-react';
import { memo } from 'react';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesigner } from '../designer-context.js';
import { isWide } from '../model/ports.js';
import { startsWorkflow } from '../store/actions.js';
import { useFar } from './far.js';
import { iconOf } from './category-look.js';
import { nameOf, typeName } from './names.js';
import { type CanvasNode, portTop } from './picture.js';
import { RunMark } from './run-mark.js';
import css from './canvas.module.css';

export const ActivityNode = memo(function ActivityNode(props: NodeProps<CanvasNode>) {
  return useFar() ? <Block {...props} /> : <WholeNode {...props} />;
});

/** A thousand of them are on the screen at once. Where connections begin is known from the picture. */
function Block({ data, selected }: NodeProps<CanvasNode>) {
  return (
    <div
      className={css.block}
      data-selected={selected || undefined}
      data-problem={data.problem !== undefined || undefined}
      data-ran={data.ran?.tone}
    />
  );
}

function WholeNode({ id, data, selected }: NodeProps<CanvasNode>) {
  const { store, open } = useDesigner();
  const { activity, descriptor, outcomes, strange, slots, problem } = data;
  const name = nameOf(activity);
  const Icon = iconOf(descriptor?.category);
  const isList = store.state.level.kind === 'list';
  const canEdit = !store.isReadonly;
  const inner = slots.filter(({ path }) => path.length > 0);
  const itself = slots.find(({ path }) => path.length === 0);
  const enter = (slot: (typeof slots)[number]) => store.enter([...store.state.level.steps, { id, slot: slot.path }]);
  return (
    <div
      className={css.node}
      data-selected={selected || undefined}
      data-problem={problem !== undefined || undefined}
      data-unknown={descriptor === undefined || undefined}
      data-ran={data.ran?.tone}
      onDoubleClick={() => (itself ?? inner[0]) && enter((itself ?? inner[0])!)}
    >
      {(isList || (store.state.level.kind === 'flowchart' && !descriptor?.isStart)) && (
        <Handle
          id="In"
          type="target"
          position={Position.Left}
          className={css.handle}
          style={{ top: 28 }}
          isConnectable={!isList}
        />
      )}
      <div className={css.head}>
        <span className={css.icon}>
          <Icon size={16} aria-hidden />
        </span>
        <span className={css.text}>
          <span className={css.name} dir="auto" title={name}>
            {name}
          </span>
          <span className={css.type}>{typeName(activity.type, descriptor)}</span>
        </span>
        {startsWorkflow(activity) && (
          <CirclePlay size={14} className={css.starts} role="img" aria-label={texts.node.starts} />
        )}
        {data.ran && <RunMark ran={data.ran} />}
        {problem !== undefined && (
          <span className={css.problem} title={problem}>
            <CircleAlert size={15} aria-hidden />
          </span>
        )}
        {itself && (
          <button
            type="button"
            className={css.dive}
            tabIndex={-1}
            title={texts.node.open(texts.node.openSelf, name)}
            aria-label={texts.node.open(texts.node.openSelf, name)}
            onClick={() => enter(itself)}
          >
            <CornerDownRight size={15} aria-hidden />
          </button>
        )}
        {data.runs !== undefined && <ExternalLink size={13} className={css.starts} aria-hidden />}
      </div>
      {inner.length > 0 && (
        <div className={css.slots}>
          {inner.map((slot) => (
            <button
              key={slot.path.join('.')}
              type="button"
              className={css.slot}
              data-filled={slot.isFilled || undefined}
              data-wide={isWide(slot) || undefined}
              title={slot.label}
              tabIndex={-1}
              aria-label={texts.node.open(slot.label, name)}
              onClick={() => enter(slot)}
            >
              <span>{slot.label}</span>
              {slot.isFilled ? <CornerDownRight size={12} aria-hidden /> : <Plus size={12} aria-hidden />}
            </button>
          ))}
        </div>
      )}
      {outcomes.map((outcome, index) => {
        const isStrange = strange.includes(outcome);
        return (
          <Handle
            key={outcome}
            id={outcome}
            type="source"
            position={Position.Right}
            className={css.handle}
            data-strange={isStrange || undefined}
            style={{ top: portTop(index, outcomes.length) }}
            isConnectable={canEdit && !isList}
            title={
              isStrange ? texts.node.strangeOutcome(outcome) : canEdit ? texts.node.addAfter(outcome, name) : outcome
            }
            onClick={() => canEdit && open({ kind: 'insert', target: { after: { id, port: outcome } } })}
          >
            {(outcomes.length > 1 || outcome !== 'Done') && <span className={css.port}>{outcome}</span>}
          </Handle>
        );
      })}
    </div>
  );
}
