import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { session } from '../api/session.js';

const TRIES = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // What the server refuses once, it refuses again.
      retry: (failures, error) => error instanceof ApiError && error.isPassing && failures < TRIES,
      retryDelay: (attempt, error) =>
        error instanceof ApiError && error.retryAfterSeconds !== undefined
          ? error.retryAfterSeconds * 1000
          : 500 * 2 ** attempt,
    },
    mutations: { retry: false },
  },
});

let last = session.authorization;
// Somebody else sees other things. A new token of the same user changes nothing.
session.subscribe(() => {
  const isOther = (last === undefined) !== (session.authorization === undefined);
  last = session.authorization;
  if (isOther) queryClient.clear();
});
session.follow();
