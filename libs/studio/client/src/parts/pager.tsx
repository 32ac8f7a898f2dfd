import { ActionIcon } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import type { Total } from '../api/definitions.js';
import { listTexts as texts } from '../texts/lists.js';
import css from './pager.module.css';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: Total;
  /** If true, the total is that of other rows, until these are there. */
  readonly isStale?: boolean;
  /** @param isReplaced the address named a page that there is not: Back skips it */
  readonly onChange: (page: number, isReplaced?: boolean) => void;
}

/** Which rows of how many are shown, and the ways to the others. */
export function Pager({ page, pageSize, total, isStale = false, onChange }: PagerProps) {
  const { totalCount, isTotalLowerBound } = total;
  const last = Math.max(1, Math.ceil(totalCount / pageSize));
  // The last row of the last page was deleted, or a link is older than that: an empty table would be all there is.
  const isBeyond = page > last && totalCount > 0 && !isTotalLowerBound && !isStale;
  useEffect(() => {
    if (isBeyond) onChange(last, true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another function means the same
  }, [isBeyond, last]);
  if (totalCount === 0) return null;
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
