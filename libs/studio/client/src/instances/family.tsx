import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Instance, instanceListQuery, instanceQuery, type InstanceSummary } from '../api/instances.js';
import { useFollowed } from '../api/live/live.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { StatusBadge } from '../parts/status-badge.js';
import { instanceTexts } from '../texts/instances.js';
import css from './inspector.module.css';

const texts = instanceTexts.page;
const SHOWN = 20;

/** Who started it, whom it started, and who shares its business key. */
export function Family({ instance }: { readonly instance: Instance }) {
  const { id, parentWorkflowInstanceId: parentId, correlationId } = instance;
  const parent = useQuery({ ...instanceQuery(parentId ?? ''), enabled: parentId !== undefined });
  const children = useQuery(instanceListQuery({ parentWorkflowInstanceIds: [id], pageSize: SHOWN }));
  useFollowed([
    ...(parentId === undefined ? [] : [parentId]),
    ...(children.data?.items ?? []).map((child) => child.id),
  ]);
  return (
    <>
      <h3 className={css.heading}>{texts.parent}</h3>
      {parent.data ? <Relatives items={[parent.data]} /> : <p className={css.soft}>{parentId ?? texts.noParent}</p>}
      <h3 className={css.heading}>{texts.children}</h3>
      {children.isError ? (
        <ErrorPanel error={children.error} onRetry={() => void children.refetch()} />
      ) : children.isPending ? (
        <Loading />
      ) : children.data.totalCount === 0 ? (
        <p className={css.soft}>{texts.noChildren}</p>
      ) : (
        <>
          <Relatives items={children.data.items} />
          {children.data.totalCount > SHOWN && (
            <Link to="/instances" search={{ parent: id }}>
              {texts.allChildren(children.data)}
            </Link>
          )}
        </>
      )}
      {correlationId && (
        <>
          <h3 className={css.heading}>{texts.correlated}</h3>
          <Link to="/instances" search={{ correlation: correlationId }}>
            {correlationId}
          </Link>
        </>
      )}
    </>
  );
}

function Relatives({ items }: { readonly items: readonly InstanceSummary[] }) {
  return (
    <ul className={css.values}>
      {items.map(({ id, name, definitionId, subStatus }) => (
        <li key={id} className={css.cardTitle}>
          <Link to="/instances/$instanceId" params={{ instanceId: id }}>
            {name || definitionId}
          </Link>
          <StatusBadge status={subStatus} />
        </li>
      ))}
    </ul>
  );
}
