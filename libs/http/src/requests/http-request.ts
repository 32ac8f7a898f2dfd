import type { IncomingMessage } from 'node:http';
import { inAnyCasing } from '@waymark/core/adapter';
import { originLength } from '@waymark/runtime/adapter';
import { isEncoded, parseHeaders, parseUrlEncoded, type TextMap } from './multi-map.js';

/** The request as workflows see it: plain data, so that it can be stored. */
export interface HttpRequestData {
  /** Method, in capitals. */
  readonly method: string;
  /** Path, without the query. */
  readonly path: string;
  /** Query, with its question mark; empty: none. */
  readonly queryString: string;
  /** Values of the query, by name. */
  readonly query: TextMap;
  /** Headers, by name. */
  readonly headers: TextMap;
  /** Content type; null: none. */
  readonly contentType: string | null;
  /** Length of the body in bytes; null: unknown. */
  readonly contentLength: number | null;
}

/** Headers that the adapter must not see, so that it leaves the body alone. */
export interface BodyHeaders {
  readonly 'content-type'?: string;
  readonly 'content-length'?: string;
  readonly 'transfer-encoding'?: string;
}

/** A request to an endpoint. Members are computed when they are first read. */
export class HttpRequest {
  /** Path, without the query. */
  readonly path: string;
  /** Query, with its question mark; empty: none. */
  readonly queryString: string;
  private queryMap: TextMap | undefined;
  private headerMap: TextMap | undefined;

  /**
   * @param raw Node's request
   * @param url as it came, with the query
   * @param native the adapter's request, for guards and authorisation
   */
  constructor(
    /** The request of Node. */
    readonly raw: IncomingMessage,
    url: string,
    /** The request of the adapter: of Express or Fastify. */
    readonly native: unknown,
    private readonly bodyHeaders: BodyHeaders = raw.headers,
  ) {
    const question = url.indexOf('?');
    this.path = url.slice(originLength(url), question < 0 ? undefined : question);
    this.queryString = question < 0 ? '' : url.slice(question + 1);
  }

  /**
   * The user, as a guard or middleware of the application has set it: `request.user`. Undefined: none.
   * @example const user = HttpRequestContext.of(ctx)?.request.user as User | undefined;
   */
  get user(): unknown {
    const native = this.native as { readonly user?: unknown } | null | undefined;
    return native?.user ?? (this.raw as { readonly user?: unknown }).user;
  }

  /** Method, in capitals. */
  get method(): string {
    return this.raw.method ?? 'GET';
  }

  /** Content type; undefined: none. */
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

  /** Headers, with names as they were sent; expressions read them in any casing, code in lower case as well. */
  get headers(): TextMap {
    if (this.headerMap) return this.headerMap;
    return (this.headerMap = inAnyCasing(parseHeaders(this.raw.rawHeaders)));
  }

  /** Values of the query, by name. */
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
    if (!this.queryString.includes(name) && !isEncoded(this.queryString)) return undefined;
    if (!Object.hasOwn(this.query, name)) return undefined;
    const value = this.query[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** What is stored of it. Scripts of Elsa write `Method`, as the request is called there. */
  toData(): HttpRequestData {
    const { method, path, queryString, query, headers } = this;
    return inAnyCasing({
      method,
      path,
      queryString,
      query,
      headers,
      contentType: this.contentType ?? null,
      contentLength: this.contentLength ?? null,
    });
  }
}
