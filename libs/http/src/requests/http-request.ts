import type { IncomingMessage } from 'node:http';
import { inAnyCasing } from '@waymark/core/adapter';
import { addText, parseUrlEncoded, type TextMap, withAlias } from './multi-map.js';

/** What workflows see as the request: plain data, so that it can be stored. */
export interface HttpRequestData {
  readonly method: string;
  readonly path: string;
  readonly queryString: string;
  readonly query: TextMap;
  readonly headers: TextMap;
  readonly contentType: string | null;
  readonly contentLength: number | null;
}

/** Headers that the adapter must not see, so that it leaves the body alone. */
export interface BodyHeaders {
  readonly 'content-type'?: string;
  readonly 'content-length'?: string;
  readonly 'transfer-encoding'?: string;
}

/** Facts about a request, worked out when they are asked for. */
export class HttpRequest {
  readonly path: string;
  readonly queryString: string;
  private queryMap: TextMap | undefined;
  private headerMap: TextMap | undefined;

  /**
   * @param raw Node's request
   * @param url as it came, with the query
   * @param native the adapter's request, for guards and authorisation
   */
  constructor(
    readonly raw: IncomingMessage,
    url: string,
    readonly native: unknown,
    private readonly bodyHeaders: BodyHeaders = raw.headers,
  ) {
    const question = url.indexOf('?');
    this.path = question < 0 ? url : url.slice(0, question);
    this.queryString = question < 0 ? '' : url.slice(question + 1);
  }

  get method(): string {
    return this.raw.method ?? 'GET';
  }

  get contentType(): string | undefined {
    return this.bodyHeaders['content-type'];
  }

  /** Announced length of the body; undefined when the request does not say. */
  get contentLength(): number | undefined {
    const length = this.bodyHeaders['content-length'];
    return length === undefined ? undefined : Number(length);
  }

  /** False when the headers announce no body. */
  get hasBody(): boolean {
    return this.bodyHeaders['transfer-encoding'] !== undefined || (this.contentLength ?? 0) > 0;
  }

  /** Names as they came first; expressions read them in any casing, code in lower case as well. */
  get headers(): TextMap {
    if (this.headerMap) return this.headerMap;
    const map: TextMap = {};
    const { rawHeaders } = this.raw;
    const names: Record<string, string> = { __proto__: null! };
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const given = rawHeaders[i]!;
      addText(map, (names[given.toLowerCase()] ??= given), rawHeaders[i + 1]!);
    }
    return (this.headerMap = inAnyCasing(withAlias(map, (name) => name.toLowerCase()) as TextMap));
  }

  get query(): TextMap {
    return (this.queryMap ??= inAnyCasing(parseUrlEncoded(this.queryString)));
  }

  /** First value of a header. @param name in lower case */
  header(name: string): string | undefined {
    const value = this.raw.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** First value in the query. */
  queryValue(name: string): string | undefined {
    // Most requests have no such parameter, and many workflows never read the query: it is not taken apart for that.
    if (!this.queryString.includes(name) && !/[%+]/.test(this.queryString)) return undefined;
    if (!Object.hasOwn(this.query, name)) return undefined;
    const value = this.query[name];
    return Array.isArray(value) ? value[0] : value;
  }

  toData(): HttpRequestData {
    const { method, path, queryString, query, headers } = this;
    return {
      method,
      path,
      queryString,
      query,
      headers,
      contentType: this.contentType ?? null,
      contentLength: this.contentLength ?? null,
    };
  }
}
