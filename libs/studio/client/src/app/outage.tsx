import { Button } from '@mantine/core';
import { type QueryState, useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { toApiError } from '../api/api-error.js';
import { isOutage } from '../api/failure-of.js';
import { live } from '../api/live/live.js';
import { shellTexts as texts } from '../texts/shell.js';
import css from './outage.module.css';

const RETRY_MS = 5_000;

/** Shown from before, while the server does not say whether it still is so. */
const isOld = ({ data, error }: QueryState): boolean => data !== undefined && isOutage(error);

/**
 * Says that what is shown may be old, and asks for it again until the server answers. Without it, data whose questions failed would
 * look as if it were true.
 */
export function Outage() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const failed = useSyncExternalStore(
    useCallback((listener) => cache.subscribe(listener), [cache]),
    () => cache.getAll().find((query) => query.isActive() && isOld(query.state))?.state.error ?? undefined,
  );
  const cutOff = useSyncExternalStore(live.watch, () => live.outage);
  const error = failed ?? cutOff;
  const again = useCallback(
    () =>
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => isOld(state) }, { cancelRefetch: false }),
    [client],
  );
  const isFailing = failed !== undefined;
  useEffect(() => {
    if (!isFailing) return;
    const timer = setInterval(() => document.hidden || again(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isFailing, again]);
  return (
    <div className={css.region} role="status">
      {error !== undefined && (
        <div className={css.notice}>
          <CloudOff size={16} aria-hidden className={css.icon} />
          <span>
            <strong>{toApiError(error).title}</strong> {texts.outage}
          </span>
          {isFailing && (
            <Button size="compact-xs" variant="default" flex="none" onClick={again}>
              {texts.tryAgain}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
