import { statusTexts } from '../texts/shell.js';
import { statusLooks, type SubStatus } from './status.js';
import css from './status-badge.module.css';

/** Word, icon and colour of an instance's sub-status. */
export function StatusBadge({ status }: { readonly status: SubStatus }) {
  const { icon: Icon, tone } = statusLooks[status];
  return (
    <span className={css.badge} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {statusTexts[status]}
    </span>
  );
}
