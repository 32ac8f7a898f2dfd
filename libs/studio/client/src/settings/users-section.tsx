import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { failureOf } from '../api/failure-of.js';
import { type User, usersQuery } from '../api/identity.js';
import { useMay } from '../api/permissions.js';
import { session } from '../api/session.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { settingsTexts } from '../texts/operations.js';
import css from './settings.module.css';

const texts = settingsTexts.users;

/** Who may log in. Not for those who may not know: the page has much else to show them. */
export function UsersSection() {
  const mayRead = useMay('read:user');
  const users = useQuery({ ...usersQuery(), enabled: mayRead });
  const isRefused = users.error instanceof ApiError && users.error.status === 403;
  if (!mayRead || isRefused) return undefined;
  return (
    <section>
      <h2 className={css.heading}>{texts.title}</h2>
      {failureOf(users) ? (
        <ErrorPanel error={users.error} onRetry={() => void users.refetch()} />
      ) : users.data === undefined ? (
        <Loading />
      ) : users.data.users.length === 0 ? (
        <p className={css.soft}>{texts.none}</p>
      ) : (
        <Users users={users.data.users} />
      )}
    </section>
  );
}

function Users({ users }: { readonly users: readonly User[] }) {
  const { current } = session;
  const self = current?.kind === 'user' ? current.name : undefined;
  const columns: readonly Column<User>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ name }) => (
        <>
          <div className={css.name}>{name}</div>
          {name === self && <div className={css.soft}>{texts.you}</div>}
        </>
      ),
    },
    { id: 'roles', title: texts.roles, cell: ({ roles }) => roles.join(', ') || texts.noRoles },
  ];
  return (
    <>
      <p className={css.soft}>{texts.lead}</p>
      <DataTable label={texts.title} columns={columns} rows={users} idOf={({ id }) => id} />
    </>
  );
}
