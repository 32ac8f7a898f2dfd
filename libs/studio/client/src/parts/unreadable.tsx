import { CircleAlert } from 'lucide-react';
import type { UnreadableRow } from '../api/schedules.js';
import { listTexts as texts } from '../texts/lists.js';
import css from './unreadable.module.css';

/** What of a row of a list is damaged. */
export function Unreadable({ row }: { readonly row: UnreadableRow | undefined }) {
  if (!row) return null;
  return (
    <details className={css.unreadable}>
      <summary>
        <CircleAlert size={14} aria-hidden /> {texts.damaged} <code>{row.code}</code>
      </summary>
      {row.message}
    </details>
  );
}
