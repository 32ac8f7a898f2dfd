import { Button, Loader } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { toApiError } from '../api/api-error.js';
import { shellTexts } from '../texts/shell.js';
import css from './states.module.css';

/** While a page waits for its first answer. It shows after a moment only, so that fast answers do not flicker. */
export function Loading() {
  return (
    <div className={css.loading} role="status">
      <Loader size="sm" color="gray" />
      <span>{shellTexts.loading}</span>
    </div>
  );
}

interface ErrorPanelProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Other ways on, beside the retry. */
  readonly children?: ReactNode;
}

/** What failed, what the server says, and the way on. */
export function ErrorPanel({ error, onRetry, children }: ErrorPanelProps) {
  const { title, detail, sentences, wayOn, code } = toApiError(error);
  return (
    <div className={css.error} role="alert">
      <CircleAlert size={20} className={css.errorIcon} aria-hidden />
      <div>
        <p className={css.errorTitle}>{title}</p>
        {sentences.length > 1 ? (
          <ul className={css.errorList}>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        ) : (
          detail && <p className={css.errorDetail}>{detail}</p>
        )}
        {(wayOn || code) && (
          <p className={css.errorWay}>
            {wayOn} {code && <code>{code}</code>}
          </p>
        )}
        <div className={css.errorActions}>
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {shellTexts.tryAgain}
            </Button>
          )}
          {children}
        </div>
      </div>
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Nothing to show: why, and what would change that. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <p className={css.emptyTitle}>{title}</p>
      {children}
    </div>
  );
}
