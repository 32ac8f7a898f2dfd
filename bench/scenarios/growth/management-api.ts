export type Api = (method: string, path: string, body?: object) => Promise<{ status: number; text: string }>;

/** Requests to the management API of the node at this address; an answer that is neither a success nor 404 is an error. */
export function apiOf(url: string): Api {
  return async (method, path, body) => {
    const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${url}/elsa/api/${path}`, {
      method,
      ...init,
      signal: AbortSignal.timeout(1_200_000),
    });
    const text = await response.text();
    if (!response.ok && response.status !== 404)
      throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return { status: response.status, text };
  };
}
