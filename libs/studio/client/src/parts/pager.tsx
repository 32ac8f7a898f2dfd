import { ActionIcon } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Total } from '../api/definitions.js';
import { listTexts as texts } from '../texts/lists.js';
import css from './pager.module.css';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: Total;
  readonly onChange: (page: number) => void;
}

/** Which rows of how many are shown, and the ways to the others. */
export function Pager({ page, pageSize, total, onChange }: PagerProps) {
  const { totalCount } = total;
  if (totalCount === 0) return null;
  const last = Math.max(1, Math.ceil(totalCount / pageSize));
  const shownPage = Math.min(page, last);
  const from = (shownPage - 1) * pageSize + 1;
  return (
    <nav className={css.pager} aria-label={texts.pages}>
      <span>{texts.range(from, Math.min(shownPage * pageSize, totalCount), total)}</span>
      <ActionIcon
        variant="default"
        aria-label={texts.previous}
        disabled={shownPage <= 1}
        onClick={() => onChange(shownPage - 1)}
      >
        <ChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={texts.next}
        disabled={shownPage >= last}
        onClick={() => onChange(shownPage + 1)}
      >
        <ChevronRight size={16} />
      </ActionIcon>
    </nav>
  );
}
