import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../api/audit.js';
import { Dialog } from '../parts/dialog.js';
import { JsonView } from '../parts/json-view.js';
import { shownTime } from '../parts/times.js';
import { auditTexts } from '../texts/audit.js';
import { OutcomeBadge } from './audit-columns.js';
import css from './audit.module.css';

const texts = auditTexts.entry;

/** Everything that an entry says. */
export function AuditLook({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const { id, at, actor, actorKind, action, outcome, code, targetKind, address, userAgent, requestId, details } = entry;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [texts.when, shownTime(at)],
    [texts.who, [actor, auditTexts.kinds[actorKind]].filter(Boolean).join(' · ')],
    [texts.outcome, <OutcomeBadge key="outcome" outcome={outcome} />],
    [texts.code, code],
    [texts.targetKind, targetKind],
    [texts.targets, entry.targetCount > 0 && <Targets key="targets" entry={entry} />],
    [texts.address, address],
    [texts.client, userAgent],
    [texts.request, requestId],
    [texts.id, <code key="id">{id}</code>],
  ];
  return (
    <Dialog title={action} size="lg" onClose={onClose}>
      <dl className={css.facts}>
        {facts
          .filter(([, value]) => Boolean(value))
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {Object.keys(details).length > 0 && (
        <>
          <h3 className={css.heading}>{texts.details}</h3>
          <JsonView value={details} label={texts.details} />
        </>
      )}
    </Dialog>
  );
}

function Targets({ entry: { targetKind, targetIds, targetCount } }: { readonly entry: AuditEntry }) {
  const left = targetCount - targetIds.length;
  return (
    <ul className={css.targets}>
      {targetIds.map((id) => (
        <li key={id}>
          {targetKind === 'instance' ? (
            <Link to="/instances/$instanceId" params={{ instanceId: id }}>
              {id}
            </Link>
          ) : targetKind === 'definition' ? (
            <Link to="/workflows/$definitionId" params={{ definitionId: id }}>
              {id}
            </Link>
          ) : (
            id
          )}
        </li>
      ))}
      {left > 0 && <li>{texts.notNamed(left)}</li>}
    </ul>
  );
}
