import { CircleX, Clock } from 'lucide-react';
import type { ActivityJson } from '../api/definitions.js';
import type { NodeHeat, VersionHeat } from '../api/operations.js';
import { Time, TimeSince } from '../parts/time.js';
import { standingTexts as texts } from '../texts/standing.js';
import { fullestFirst, nameOf } from './standing-counts.js';
import css from './standing.module.css';

interface ListProps {
  readonly heat: VersionHeat;
  readonly root: ActivityJson | undefined;
  readonly selectedNodeId: string | undefined;
  readonly onSelect: (nodeId: string) => void;
}

/** The same in words: the fullest places first. */
export function StandingList({ heat, root, selectedNodeId, onSelect }: ListProps) {
  const { nodes, running } = heat;
  // An instance may wait at several places: what is left is known only where it is more than that.
  const elsewhere = running - nodes.reduce((sum, { waiting }) => sum + waiting, 0);
  return (
    <section className={css.list} aria-label={texts.nodes}>
      <h2 className={css.heading}>{texts.nodes}</h2>
      <ul className={css.rows}>
        {fullestFirst(nodes).map((node) => (
          <li key={node.activityNodeId ?? ''}>
            {node.activityNodeId === undefined ? (
              <div className={css.row}>
                <span className={css.name}>{texts.unknownPlace}</span>
                <Counts node={node} />
                <span className={css.soft}>{texts.unknownHint}</span>
              </div>
            ) : (
              <button
                type="button"
                className={css.row}
                aria-pressed={node.activityNodeId === selectedNodeId}
                onClick={() => onSelect(node.activityNodeId!)}
              >
                <span className={css.name}>{nameOf(root, node.activityNodeId)}</span>
                <Counts node={node} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {elsewhere > 0 && <p className={css.soft}>{texts.elsewhere(elsewhere.toLocaleString('en'))}</p>}
    </section>
  );
}

function Counts({ node: { waiting, waitingSince, faulted, newestFaultAt } }: { readonly node: NodeHeat }) {
  return (
    <>
      {waiting > 0 && (
        <span className={css.count} data-tone="waiting">
          <Clock size={13} aria-hidden />
          {texts.waiting(waiting.toLocaleString('en'))}
          <span className={css.soft}>
            {texts.longest} <TimeSince value={waitingSince} />
          </span>
        </span>
      )}
      {faulted > 0 && (
        <span className={css.count} data-tone="faulted">
          <CircleX size={13} aria-hidden />
          {texts.faulted(faulted.toLocaleString('en'))}
          <span className={css.soft}>
            {texts.newest} <Time value={newestFaultAt} />
          </span>
        </span>
      )}
    </>
  );
}
