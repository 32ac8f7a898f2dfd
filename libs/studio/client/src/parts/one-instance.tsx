import type { InstanceSummary } from '../api/instances.js';
import css from './one-instance.module.css';

interface OneInstanceProps {
  readonly instance: Pick<InstanceSummary, 'id' | 'name' | 'correlationId'>;
}

/** Which instance a question is about: people who repair have several open, and all of them look alike. */
export function OneInstance({ instance }: OneInstanceProps) {
  const { id, name, correlationId } = instance;
  const title = name || correlationId;
  return (
    <p>
      {title && title !== id && <strong className={css.which}>{title}</strong>}
      <code className={css.which}>{id}</code>
    </p>
  );
}

/** The same of those that are ticked, where it is one. */
export function OneOf({ rows }: { readonly rows: readonly InstanceSummary[] }) {
  const [first, ...others] = rows;
  return first && others.length === 0 ? <OneInstance instance={first} /> : null;
}
