import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { session } from '../api/session.js';
import { dismissAll } from '../parts/toasts.js';

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

let person = session.person;
let wasExpired = false;
let wasAsked = false;
// Another person sees other things. A new token of the same user changes nothing; after an expired login, what was refused meanwhile
// is asked for again.
session.subscribe(() => {
  const isOther = person !== session.person;
  person = session.person;
  if (isOther) {
    queryClient.clear();
    dismissAll();
  } else if ((wasExpired && !session.expired) || (wasAsked && !session.isAsked)) void queryClient.invalidateQueries();
  wasExpired = session.expired !== undefined;
  wasAsked = session.isAsked;
});
session.follow();
