import { CircleX } from 'lucide-react';
import type { ActivityJson } from '../api/definitions.js';
import type { ExceptionJson, Instance } from '../api/instances.js';
import { nameOfActivity } from '../graph/name-of-activity.js';
import { Time } from '../parts/time.js';
import { instanceTexts } from '../texts/instances.js';
import { RepairActivity } from './repair-activity.js';
import css from './incidents.module.css';
import { May } from '../parts/may.js';

const texts = instanceTexts.page;

interface IncidentsProps {
  readonly instance: Instance;
  /** Of its definition, where that is known. */
  readonly root: ActivityJson | undefined;
  readonly onSelect: (nodeId: string) => void;
}

/** What failed, said where one looks first: message, activity, stack. */
export function Incidents({ instance, root, onSelect }: IncidentsProps) {
  const { incidents } = instance.workflowState;
  if (incidents.length === 0) return null;
  const canBeRepaired = instance.status === 'Running' || instance.subStatus === 'Faulted';
  return (
    <section className={css.incidents} aria-labelledby="incidents-title">
      <h2 id="incidents-title" className={css.title}>
        <CircleX size={16} aria-hidden />
        {texts.incidents(incidents.length)}
      </h2>
      <ul className={css.list}>
        {incidents.map(({ activityInstanceId, message, exception, timestamp, ...at }, index) => (
          <li key={`${activityInstanceId}-${index}`}>
            <div className={css.line}>
              <button type="button" className={css.link} onClick={() => onSelect(at.activityNodeId)}>
                {nameOfActivity(root, at)}
              </button>
              <span className={css.message}>{message}</span>
              <span className={css.time}>
                <Time value={timestamp} />
              </span>
              {canBeRepaired && (
                <May permission="run:alterations">
                  <RepairActivity
                    instance={instance}
                    name={nameOfActivity(root, at)}
                    activityInstanceId={activityInstanceId}
                  />
                </May>
              )}
            </div>
            {exception && (
              <details>
                <summary>{texts.stack}</summary>
                <Exception exception={exception} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Exception({ exception }: { readonly exception: ExceptionJson }) {
  const { type, message, stackTrace, innerException } = exception;
  return (
    <div>
      <pre className={css.stack} tabIndex={0} role="group" aria-label={texts.stack}>
        {stackTrace ?? `${type}: ${message}`}
      </pre>
      {innerException && (
        <>
          <p className={css.inner}>{texts.inner}</p>
          <Exception exception={innerException} />
        </>
      )}
    </div>
  );
}
