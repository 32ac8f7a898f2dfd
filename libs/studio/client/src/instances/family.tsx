import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Instance, instanceListQuery } from '../api/instances.js';
import { useFollowed } from '../api/live/live.js';
import { instanceTexts } from '../texts/instances.js';
import { ancestorsQuery } from './ancestors.js';
import { ChildList, Relative } from './relatives.js';
import css from './inspector.module.css';

const texts = instanceTexts.page;
const SHOWN = 20;

/** Who started it, up to the first of them; whom it started, as deep as is asked for; and who shares its business key. */
export function Family({ instance }: { readonly instance: Instance }) {
  const { id, parentWorkflowInstanceId: parentId, correlationId } = instance;
  const ancestors = useQuery(ancestorsQuery(parentId));
  const above = ancestors.data ?? [];
  useFollowed(above.map((each) => each.id));
  return (
    <>
      <h3 className={css.heading}>{texts.tree}</h3>
      {parentId === undefined && <p className={css.soft}>{texts.noParent}</p>}
      <Descent above={above} instance={instance} />
      {correlationId && <Correlated id={id} correlationId={correlationId} />}
    </>
  );
}

/** From the first ancestor down to the instance and its children, each within the one that started it. */
function Descent({ above, instance }: { readonly above: readonly Instance[]; readonly instance: Instance }) {
  const [first, ...rest] = above;
  if (!first)
    return (
      <ul className={css.tree}>
        <li>
          <Relative instance={instance} isThis />
          <ChildList parentId={instance.id} />
        </li>
      </ul>
    );
  return (
    <ul className={css.tree}>
      <li>
        <Relative instance={first} />
        <Descent above={rest} instance={instance} />
      </li>
    </ul>
  );
}

function Correlated({ id, correlationId }: { readonly id: string; readonly correlationId: string }) {
  const list = useQuery(instanceListQuery({ correlationId, pageSize: SHOWN + 1 }));
  const others = (list.data?.items ?? []).filter((each) => each.id !== id).slice(0, SHOWN);
  useFollowed(others.map((each) => each.id));
  return (
    <>
      <h3 className={css.heading}>{texts.correlated}</h3>
      {list.data && others.length === 0 && <p className={css.soft}>{texts.noCorrelated}</p>}
      <ul className={css.tree}>
        {others.map((each) => (
          <li key={each.id}>
            <Relative instance={each} />
          </li>
        ))}
      </ul>
      {list.data && (
        <Link to="/instances" search={{ correlation: correlationId }}>
          {texts.allCorrelated(list.data)}
        </Link>
      )}
    </>
  );
}
