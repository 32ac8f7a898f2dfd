/** What a host answered. */
export interface HostAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it freely
  readonly json: any;
}

/** A request with a JSON body, or a text that is sent as JSON whatever it is. */
export async function callHost(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<HostAnswer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const json: unknown = /json/.test(response.headers.get('content-type') ?? '') && text ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}
