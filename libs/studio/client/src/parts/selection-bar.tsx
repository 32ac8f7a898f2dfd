import { Button, CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Total } from '../api/definitions.js';
import { MOST_AT_ONCE } from '../api/all-matching.js';
import { listTexts as texts } from '../texts/lists.js';
import type { RowSelection } from './use-selection.js';
import css from './bulk-bar.module.css';

interface SelectionBarProps<T> {
  readonly selection: RowSelection<T>;
  /** How many match, on all pages. */
  readonly total: Total | undefined;
  /** What can be done with them. */
  readonly children: ReactNode;
}

/** What is selected, the way from a page to all that match, and what can be done with it. */
export function SelectionBar<T>({ selection, total, children }: SelectionBarProps<T>) {
  const { rows, isPage, isOfAll, takeAll, isTaking, clear } = selection;
  if (rows.length === 0) return null;
  const hasMore = isPage && !isOfAll && total !== undefined && total.totalCount > rows.length;
  return (
    <div className={css.bar} role="toolbar" aria-label={texts.selected(rows.length)}>
      <CloseButton size="sm" aria-label={texts.clearSelection} onClick={clear} />
      <span className={css.count}>{texts.selected(rows.length)}</span>
      {hasMore && (
        <Button size="compact-xs" variant="subtle" loading={isTaking} onClick={takeAll}>
          {total.totalCount > MOST_AT_ONCE || total.isTotalLowerBound
            ? texts.selectFirst(MOST_AT_ONCE)
            : texts.selectMatching(total.totalCount)}
        </Button>
      )}
      {children}
    </div>
  );
}
