import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { Ban, CircleCheck, CircleDot, CirclePlay, CircleX, Clock, FolderOpen } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import type { ActivityJson } from '../api/definitions.js';
import { graphTexts as texts } from '../texts/graph.js';
import { duration } from '../parts/times.js';
import { nameOf } from './name-of-activity.js';
import { toneOf } from './tone.js';
import type { NodeCounts, NodeState } from './workflow-graph.js';
import css from './graph.module.css';

export type ActivityNodeData = {
  readonly activity: ActivityJson;
  readonly outcomes: readonly string[];
  readonly state: NodeState | undefined;
  readonly counts: NodeCounts | undefined;
  readonly onOpen: (() => void) | undefined;
  /** Whether Tab stops here. */
  readonly isStop: boolean;
};

/** `Elsa.WriteLine` is "Write Line". */
export const shownType = (type: string): string =>
  type
    .split('.')
    .at(-1)!
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');

export const ActivityNode = memo(function ActivityNode({ data, selected }: NodeProps<Node<ActivityNodeData>>) {
  const { activity, outcomes, state, counts, onOpen, isStop } = data;
  const ways = outcomes.length > 0 ? outcomes : ['Done'];
  return (
    <div
      className={css.node}
      data-tone={toneOf(state)}
      data-selected={selected || undefined}
      data-heat={counts && (counts.faulted > 0 ? 'faulted' : 'waiting')}
      style={heatOf(counts)}
    >
      <Handle type="target" position={Position.Left} className={css.handle} isConnectable={false} />
      <div className={css.text}>
        <span className={css.name} dir="auto" title={nameOf(activity)}>
          {nameOf(activity)}
        </span>
        <span className={css.type}>
          {shownType(activity.type)}
          {state?.durationMs !== undefined && ` · ${duration(state.durationMs)}`}
        </span>
      </div>
      {onOpen && (
        <button
          type="button"
          className={css.open}
          tabIndex={isStop ? 0 : -1}
          aria-label={texts.open(nameOf(activity))}
          onClick={onOpen}
        >
          <FolderOpen size={15} aria-hidden />
        </button>
      )}
      {state && <StateMark state={state} />}
      {state?.tokens ? <TokenMark tokens={state.tokens} /> : null}
      {counts && <CountMarks counts={counts} />}
      {ways.map((outcome, index) => (
        <Handle
          key={outcome}
          id={outcome}
          type="source"
          position={Position.Right}
          className={css.handle}
          style={{ top: `${((index + 1) * 100) / (ways.length + 1)}%` }}
          isConnectable={false}
        />
      ))}
    </div>
  );
});

/** How strong the colour of a node is at which instances stand. */
export const heatOf = (counts: NodeCounts | undefined): CSSProperties | undefined =>
  counts && ({ '--heat': `${Math.round(20 + counts.share * 80)}%` } as CSSProperties);

const icons = { faulted: CircleX, waiting: Clock, running: CirclePlay, finished: CircleCheck, cancelled: Ban };

function StateMark({ state }: { readonly state: NodeState }) {
  const tone = toneOf(state)!;
  const Icon = icons[tone];
  return (
    <span className={css.mark} data-tone={tone} title={texts.counts(state)}>
      <Icon size={13} aria-hidden />
      {state.started > 1 ? state.started : ''}
      <span className={css.hidden}>{texts.tones[tone]}</span>
    </span>
  );
}

/** Where the instance stands: as tokens do in a game. */
function TokenMark({ tokens }: { readonly tokens: number }) {
  return (
    <span className={css.token} title={texts.tokens(tokens)}>
      <CircleDot size={13} aria-hidden />
      {tokens > 1 ? tokens : ''}
      <span className={css.hidden}>{texts.tokens(tokens)}</span>
    </span>
  );
}

function CountMarks({ counts: { waiting, faulted } }: { readonly counts: NodeCounts }) {
  return (
    <span className={css.marks}>
      {(
        [
          ['waiting', waiting],
          ['faulted', faulted],
        ] as const
      ).map(([tone, count]) => {
        const Icon = icons[tone];
        return (
          count > 0 && (
            <span key={tone} className={css.countMark} data-tone={tone} title={texts.standing[tone](count)}>
              <Icon size={13} aria-hidden />
              {count.toLocaleString('en')}
              <span className={css.hidden}>{texts.tones[tone]}</span>
            </span>
          )
        );
      })}
    </span>
  );
}
