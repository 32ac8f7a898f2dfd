import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { instanceListQuery, type InstanceSummary } from '../api/instances.js';
import { useFollowed } from '../api/live/live.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { StatusBadge } from '../parts/status-badge.js';
import { instanceTexts } from '../texts/instances.js';
import css from './inspector.module.css';

const texts = instanceTexts.page;
const SHOWN = 20;

/** One of the family, with its status. */
export function Relative({ instance, isThis }: { readonly instance: InstanceSummary; readonly isThis?: boolean }) {
  const { id, name, definitionId, subStatus } = instance;
  return (
    <span className={css.relative}>
      {isThis ? (
        <span>
          <strong>{name || definitionId}</strong> <span className={css.soft}>({texts.isThis})</span>
        </span>
      ) : (
        <Link to="/instances/$instanceId" params={{ instanceId: id }}>
          {name || definitionId}
        </Link>
      )}
      <StatusBadge status={subStatus} />
    </span>
  );
}

/** Whom an instance started. Their own children are asked for when they are opened. */
export function ChildList({ parentId }: { readonly parentId: string }) {
  const children = useQuery(instanceListQuery({ parentWorkflowInstanceIds: [parentId], pageSize: SHOWN }));
  useFollowed((children.data?.items ?? []).map(({ id }) => id));
  if (failureOf(children)) return <ErrorPanel error={children.error} onRetry={() => void children.refetch()} />;
  if (children.data === undefined) return <Loading />;
  if (children.data.items.length === 0) return <p className={css.soft}>{texts.noChildren}</p>;
  return (
    <>
      <ul className={css.tree}>
        {children.data.items.map((child) => (
          <Child key={child.id} child={child} />
        ))}
      </ul>
      {children.data.totalCount > SHOWN && (
        <Link to="/instances" search={{ parent: parentId }}>
          {texts.allChildren(children.data)}
        </Link>
      )}
    </>
  );
}

function Child({ child }: { readonly child: InstanceSummary }) {
  const [isOpen, setOpen] = useState(false);
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <span className={css.branch}>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={texts.openChildren(child.name || child.definitionId)}
          onClick={() => setOpen(!isOpen)}
        >
          <Arrow size={14} />
        </ActionIcon>
        <Relative instance={child} />
      </span>
      {isOpen && <ChildList parentId={child.id} />}
    </li>
  );
}
