import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MOST_COUNTED, overviewQuery } from '../api/operations.js';
import { useDefinitionNames } from '../api/use-definition-names.js';
import { EmptyState } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { listTexts } from '../texts/lists.js';
import { homeTexts } from '../texts/operations.js';
import css from './home.module.css';
import { READ_RUNTIME, useMay } from '../api/permissions.js';

const texts = homeTexts.failing;

/** Which workflows fail most, with the ways to their instances and to where in the workflow they failed. */
export function FailingWorkflows() {
  const mayRead = useMay(...READ_RUNTIME);
  const { data } = useQuery({ ...overviewQuery(), enabled: mayRead });
  const rows = data?.failures ?? [];
  const names = useDefinitionNames(rows);
  if (!data) return null;
  return (
    <section className={css.list} aria-label={texts.title}>
      <header className={css.listHead}>
        <h2 className={css.listTitle}>{texts.title}</h2>
      </header>
      {rows.length === 0 ? (
        <EmptyState title={texts.none} />
      ) : (
        <ul className={css.rows}>
          {rows.map(({ definitionId, instances, newestAt }) => (
            <li key={definitionId} className={css.row}>
              <div className={css.what}>
                <Link to="/instances" search={{ workflow: definitionId, status: ['Faulted'] }}>
                  {names.get(definitionId) ?? definitionId}
                </Link>
                <span className={css.soft}>
                  {texts.newest} <Time value={newestAt} />
                </span>
              </div>
              <div className={css.when}>
                <span className={css.failed}>{texts.count(listTexts.countUpTo(instances, MOST_COUNTED))}</span>
                <Link to="/workflows/$definitionId/standing" params={{ definitionId }}>
                  {texts.where}
                </Link>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
