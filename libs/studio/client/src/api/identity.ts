import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.js';
import { readError } from './read-error.js';
import { apiUrl, get, LOGIN, post } from './request.js';
import { session } from './session.js';

interface LoginAnswer {
  readonly isAuthenticated: boolean;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

/** If false, wrong user or password. @throws ApiError, with status 404 where there are no users */
export async function logIn(username: string, password: string): Promise<boolean> {
  const answer = await post<LoginAnswer>(LOGIN, { username, password });
  if (!answer.isAuthenticated || !answer.accessToken || !answer.refreshToken) return false;
  session.begin({ kind: 'user', name: username, access: answer.accessToken, refresh: answer.refreshToken });
  return true;
}

/** A route that is open to no anonymous caller. Refused with 403, the caller is known, and may not ask this. */
const ASKS_WHO = 'features/installed';

/** If false, the API does not know the key. @throws ApiError */
export async function logInByKey(key: string): Promise<boolean> {
  // Tried before it is kept: with a wrong one the pages behind the login would open for a moment.
  const headers = { authorization: `ApiKey ${key}`, accept: 'application/json' };
  const response = await fetch(apiUrl(ASKS_WHO), { headers }).catch((cause: unknown) => {
    throw new ApiError({ status: 0, cause });
  });
  if (response.status === 401) return false;
  // 403: known, and not allowed to ask this.
  if (!response.ok && response.status !== 403) throw await readError(response);
  session.begin({ kind: 'key', key });
  return true;
}

/** Asks whether the application's own session is there again, and continues with it. */
export async function resumeSession(): Promise<void> {
  const response = await fetch(apiUrl(ASKS_WHO), { credentials: 'same-origin' }).catch(() => undefined);
  if (response?.ok || response?.status === 403) session.resume();
}

/** Who may log in, as the configuration of the server says. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
}

export const usersQuery = () =>
  queryOptions({
    queryKey: ['users'],
    queryFn: ({ signal }) => get<{ users: readonly User[] }>('identity/users', { signal }),
    // A refusal is an answer; it would be asked for thrice.
    retry: false,
  });
