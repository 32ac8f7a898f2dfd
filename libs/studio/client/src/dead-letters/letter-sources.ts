import { useMemo } from 'react';
import type { LetterSource } from '../api/dead-letters.js';
import { isGranted, useAuthorization } from '../api/permissions.js';

const SOURCES: readonly LetterSource[] = ['outbox', 'bookmark-queue'];

/** The lists that the user may read; each has a permission of its own. */
export function useSources(): readonly LetterSource[] {
  const authorization = useAuthorization();
  return useMemo(
    () => SOURCES.filter((source) => isGranted(authorization, [`read:${source}:dead-letters`])),
    [authorization],
  );
}
