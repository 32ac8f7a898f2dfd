import { CircleCheck, CircleX, ShieldX } from 'lucide-react';
import { Fragment } from 'react';
import type { AuditEntry } from '../api/audit.js';
import type { Column } from '../parts/data-table.js';
import badge from '../parts/status-badge.module.css';
import { Time } from '../parts/time.js';
import { shownTime } from '../parts/times.js';
import { auditTexts as texts } from '../texts/audit.js';
import css from './audit.module.css';

const LOOKS = {
  Succeeded: { icon: CircleCheck, tone: 'finished' },
  Refused: { icon: ShieldX, tone: 'waiting' },
  Failed: { icon: CircleX, tone: 'faulted' },
} as const;

export function OutcomeBadge({ outcome }: Pick<AuditEntry, 'outcome'>) {
  const { icon: Icon, tone } = LOOKS[outcome];
  return (
    <span className={badge.badge} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {texts.outcomes[outcome]}
    </span>
  );
}

/** `definitions.publish`, which may break behind the dot. */
const Broken = ({ text }: { readonly text: string }) => (
  <>
    {text.split('.').map((part, index) => (
      <Fragment key={index}>
        {index > 0 && (
          <>
            .<wbr />
          </>
        )}
        {part}
      </Fragment>
    ))}
  </>
);

export const auditColumns = (onLook: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    id: 'action',
    title: texts.columns.action,
    cell: (entry) => (
      <>
        <button
          type="button"
          className={css.action}
          aria-label={texts.look(entry.action, shownTime(entry.at))}
          onClick={() => onLook(entry)}
        >
          <Broken text={entry.action} />
        </button>
        {/* On narrow screens, where the column of times is hidden. */}
        <div className={css.below}>
          <Time value={entry.at} />
        </div>
      </>
    ),
  },
  {
    id: 'who',
    title: texts.columns.who,
    cell: ({ actor, actorKind }) => (
      <div className={css.who}>
        <div>{actor ?? texts.kinds[actorKind]}</div>
        {actor !== undefined && <div className={css.soft}>{texts.kinds[actorKind]}</div>}
      </div>
    ),
  },
  {
    id: 'target',
    title: texts.columns.target,
    isMinor: true,
    cell: ({ targetKind, targetIds, targetCount }) => (
      <>
        <div>{targetIds.length === 1 ? targetIds[0] : targetCount > 0 ? texts.targets(targetCount) : null}</div>
        {targetKind !== undefined && <div className={css.soft}>{targetKind}</div>}
      </>
    ),
  },
  {
    id: 'outcome',
    title: texts.columns.outcome,
    isNarrow: true,
    cell: ({ outcome, code }) => (
      <>
        <OutcomeBadge outcome={outcome} /> {code !== undefined && <code className={css.soft}>{code}</code>}
      </>
    ),
  },
  { id: 'from', title: texts.columns.from, isNarrow: true, isMinor: 'soon', cell: ({ address }) => address },
  { id: 'when', title: texts.columns.when, isMinor: 'late', cell: ({ at }) => <Time value={at} /> },
];
