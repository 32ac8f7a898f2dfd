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

interface Caller {
  readonly kind: string;
  readonly id: string;
}

/** Asks whether the application's own session is there, and whose it is, and continues with it. */
export async function resumeSession(): Promise<void> {
  const response = await askOwn('identity/me');
  if (response?.ok) {
    const { kind, id } = (response.answer ?? {}) as Partial<Caller>;
    session.resume(id === undefined || kind === 'Anonymous' ? undefined : `${kind} ${id}`);
  } else if (response?.status === 404) {
    // An API of a version before does not tell whose.
    const known = await askOwn(ASKS_WHO);
    if (known?.ok || known?.status === 403) session.resume();
  }
}

/** With what the browser sends by itself. Undefined: no answer. */
async function askOwn(path: string) {
  try {
    const response = await fetch(apiUrl(path), { credentials: 'same-origin' });
    // Read to its end, also where nothing is in it for us: it would hold its connection.
    const text = await response.text();
    const { ok, status } = response;
    return { ok, status, answer: ok ? (JSON.parse(text) as unknown) : undefined };
  } catch {
    return undefined;
  }
}

let identified: Promise<void> | undefined;

/** Resolves when it is known whose the application's own session is, or that it cannot be known. Nothing is asked for a login to the API. */
export const knowWho = (): Promise<void> => (identified ??= session.current ? Promise.resolve() : resumeSession());

/** Another person may have logged in to the application, in another tab: nothing here has expired, and what is sent goes in their name. */
export function watchWho(): void {
  void knowWho();
  window.addEventListener('focus', () => {
    if (!session.current && !session.isAsked) void resumeSession();
  });
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
