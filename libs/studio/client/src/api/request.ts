import { config } from '../app/config.js';
import { AnswerLimit } from './answer-limit.js';
import { ApiError } from './api-error.js';
import { readError } from './read-error.js';
import { type Credentials, session } from './session.js';

export type QueryValue = string | number | boolean | undefined | readonly string[];

export interface ApiRequest {
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON; a form as it is. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The address of a route below the API; parts are ids as they are. */
export function apiUrl(path: string, query: ApiRequest['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? (value as readonly string[]) : [value])
      parameters.append(name, String(item));
  }
  const text = parameters.toString();
  return `${config.api}/${path}${text === '' ? '' : `?${text}`}`;
}

/** The route of the login, which is asked without one. */
export const LOGIN = 'identity/login';

/** An id as a part of a path. */
export const part = (id: string | number): string => encodeURIComponent(id);

/** @throws ApiError */
export async function send(method: string, path: string, request: ApiRequest = {}): Promise<Response> {
  // Pages behind the login still ask, such as for what they poll: the answer is known.
  if (session.expired && session.isAsked && path !== LOGIN) throw new ApiError({ status: 401 });
  const { authorization: used, person } = session;
  let response = await fetchOnce(method, path, request);
  // Another request, or another tab, may have a new token by now.
  const isRenewed = async () => (used !== session.authorization && session.authorization) || (await refreshed());
  // What one person has asked for is not asked for in the name of the next, whose login has nothing to do with the refusal.
  const isSamePerson = () => person === session.person;
  if (response.status === 401 && isSamePerson() && (await isRenewed()) && isSamePerson())
    response = await fetchOnce(method, path, request);
  if (response.ok) {
    if (path !== LOGIN) session.answered();
    return response;
  }
  if (response.status === 401 && isSamePerson()) session.expire();
  throw await readError(response);
}

/** The JSON of an answer; `undefined` for one without a body. @throws ApiError */
export async function request<T>(method: string, path: string, options?: ApiRequest): Promise<T> {
  const response = await send(method, path, options);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export const get = <T>(path: string, options?: ApiRequest): Promise<T> => request<T>('GET', path, options);
/** The API wants a body, if only an empty one. */
export const post = <T>(path: string, body: object = {}, options?: ApiRequest): Promise<T> =>
  request<T>('POST', path, { ...options, body });
export const remove = <T>(path: string, options?: ApiRequest): Promise<T> => request<T>('DELETE', path, options);

async function fetchOnce(method: string, path: string, request: ApiRequest): Promise<Response> {
  const { query, body, signal } = request;
  const headers = new Headers({ accept: 'application/json', ...request.headers });
  if (session.authorization !== undefined) headers.set('authorization', session.authorization);
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (signal) init.signal = signal;
  if (body instanceof FormData) init.body = body;
  else if (body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(body);
  }
  try {
    return await fetch(apiUrl(path, query), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ status: 0, cause: error });
  }
}

let refreshing: Promise<boolean> | undefined;
/** Of what all requests wait for. */
const limit = new AnswerLimit();

/** Requests that fail together share one new token. */
function refreshed(): Promise<boolean> {
  refreshing ??= limit.ask(refresh).finally(() => (refreshing = undefined));
  return refreshing;
}

/** @throws ApiError if the server cannot tell at the moment */
async function refresh(signal: AbortSignal): Promise<boolean> {
  const { current } = session;
  if (current?.kind !== 'user') return false;
  const response = await fetch(apiUrl('identity/refresh-token'), {
    method: 'POST',
    headers: { authorization: `Bearer ${current.refresh}`, 'content-type': 'application/json' },
    body: '{}',
    signal,
  }).catch((cause: unknown) => {
    throw new ApiError({ status: 0, cause });
  });
  if (!response.ok) {
    const error = await readError(response);
    // A server in trouble says nothing about the login.
    if (error.isOutage) throw error;
    return isRenewedSince(current);
  }
  const answer = (await response.json()) as { isAuthenticated: boolean; accessToken?: string; refreshToken?: string };
  // The person has logged out meanwhile, or another tab was faster.
  if (session.current !== current) return isRenewedSince(current);
  if (!answer.isAuthenticated || !answer.accessToken || !answer.refreshToken) return false;
  session.begin({ ...current, access: answer.accessToken, refresh: answer.refreshToken });
  return true;
}

const isRenewedSince = (before: Credentials): boolean => session.current !== undefined && session.current !== before;
