import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useOperationsPolling } from '../api/live/live.js';
import { scheduleListQuery } from '../api/schedules.js';
import { useDefinitionNames } from '../api/use-definition-names.js';
import { Time } from '../parts/time.js';
import { homeTexts as texts } from '../texts/operations.js';
import { scheduleTexts } from '../texts/schedules.js';
import { POLL_MS } from './poll.js';
import css from './home.module.css';
import { useMay } from '../api/permissions.js';

const REQUEST = { isPaused: false, page: 0, pageSize: 7, times: 1 };

/** Schedules by their next time. Left out where there are none, and for a person who may not see them. */
export function DueNext() {
  const mayRead = useMay('read:schedules');
  const list = useQuery({
    ...scheduleListQuery(REQUEST),
    enabled: mayRead,
    refetchInterval: useOperationsPolling(POLL_MS),
  });
  const rows = list.data?.items.filter(({ nextTimes }) => nextTimes.length > 0) ?? [];
  const names = useDefinitionNames(rows);
  if (rows.length === 0) return null;
  return (
    <section className={css.list} aria-label={texts.dueNext}>
      <header className={css.listHead}>
        <h2 className={css.listTitle}>{texts.dueNext}</h2>
        <Link to="/schedules">{texts.allSchedules}</Link>
      </header>
      <ul className={css.rows}>
        {rows.map(({ id, definitionId, workflowInstanceId, activityId, nextTimes }) => (
          <li key={id} className={css.row}>
            <div className={css.what}>
              {definitionId !== undefined && (
                <Link to="/workflows/$definitionId" params={{ definitionId }}>
                  {names.get(definitionId) ?? definitionId}
                </Link>
              )}
              {definitionId === undefined && workflowInstanceId !== undefined && (
                <Link to="/instances/$instanceId" params={{ instanceId: workflowInstanceId }}>
                  {scheduleTexts.resumesInstance}
                </Link>
              )}
              <span className={css.soft}>{activityId ?? id}</span>
            </div>
            <span className={css.soft}>
              <Time value={nextTimes[0]} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
