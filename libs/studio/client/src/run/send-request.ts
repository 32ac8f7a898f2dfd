import { type EndpointRequest, hasBody } from './http-request.js';

export interface EndpointAnswer {
  /** `200 OK` */
  readonly status: string;
  readonly isOk: boolean;
  readonly took: number;
  readonly contentType: string;
  /** `undefined` for a body that is not text. */
  readonly text: string | undefined;
}

const TEXTUAL = /^text\/|json|xml|javascript|urlencoded/i;

/**
 * Sends a request of its own, as any client would: without the login of the API, to the host that serves this page. That host may
 * have another name than the endpoints are known by.
 */
export async function sendRequest(url: string, request: EndpointRequest): Promise<EndpointAnswer> {
  const { pathname, search } = new URL(url, window.location.href);
  const { method, contentType, body } = request;
  const begun = performance.now();
  const response = await fetch(pathname + search, {
    method,
    credentials: 'same-origin',
    ...(hasBody(method) && body !== '' ? { body, headers: { 'content-type': contentType } } : {}),
  });
  const type = response.headers.get('content-type') ?? '';
  const blob = await response.blob();
  return {
    status: [response.status, response.statusText].filter(Boolean).join(' '),
    isOk: response.ok,
    took: performance.now() - begun,
    contentType: type,
    text: blob.size === 0 ? '' : type === '' || TEXTUAL.test(type) ? await blob.text() : undefined,
  };
}
