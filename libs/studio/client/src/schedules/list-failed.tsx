import { toApiError } from '../api/api-error.js';
import { ErrorPanel } from '../parts/states.js';
import { scheduleTexts as texts } from '../texts/schedules.js';
import css from './schedules.module.css';

interface FailedProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** In the place of a list. The API refuses without naming the permission. */
export function ListFailed({ error, onRetry }: FailedProps) {
  return (
    <>
      <ErrorPanel error={error} onRetry={onRetry} />
      {toApiError(error).status === 403 && <p className={css.soft}>{texts.mayNotLook}</p>}
    </>
  );
}
