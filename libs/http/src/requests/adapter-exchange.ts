import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DEFAULT_REDACTION, withoutAddressCredentials } from '@waymark/core/adapter';
import type { HeaderValue, PreparedResponse, ResponseTarget } from '../responses/http-response-writer.js';
import { takeClaim } from './body-claim.js';
import { besideBefore } from './headers-before.js';
import { heldHeaders } from './held-body.js';
import { HttpRequest } from './http-request.js';
import { HttpRequestContext } from './http-request-context.js';
import { type BodyLimits, RequestBody } from './request-body.js';
import { sendTogether } from './send-together.js';

/** What this library uses of Fastify's request and reply. */
interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly originalUrl: string;
  readonly body?: unknown;
}
interface FastifyReply {
  readonly raw: ServerResponse;
  readonly sent: boolean;
  code(status: number): this;
  getHeader(name: string): HeaderValue | number | undefined;
  header(name: string, value: HeaderValue): this;
  removeHeader(name: string): this;
  serializer(serialize: (body: string) => string): this;
  send(body?: unknown): this;
}

const asIs = (body: string): string => body;

/** What a response had of some headers, by their names. */
type HeadersBefore = readonly (readonly [name: string, value: HeaderValue | number | undefined])[];

/** What it uses of Express's request. */
interface ExpressRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly body?: unknown;
  readonly rawBody?: Buffer;
}

const isFastify = (request: object): request is FastifyRequest => 'raw' in request;

/** Request and response of either adapter behind one face. */
export class AdapterExchange {
  readonly request: HttpRequest;
  readonly target: ResponseTarget;
  /** Called when an answer was handed to the server, which may keep it for its client. */
  onSent: ((response: ServerResponse) => void) | undefined;
  private readonly native: FastifyRequest | ExpressRequest;

  /** @param request and @param response as Nest hands them to a handler */
  constructor(
    request: object,
    readonly response: object,
  ) {
    this.native = request as FastifyRequest | ExpressRequest;
    const raw = isFastify(request) ? request.raw : (request as ExpressRequest);
    const url = this.native.originalUrl ?? raw.url ?? '/';
    this.request = new HttpRequest(raw, url, request, heldHeaders(raw));
    const sent = (to: ServerResponse): void => this.onSent?.(to);
    this.target = isFastify(request)
      ? new FastifyTarget(response as FastifyReply, sent)
      : new NodeTarget(response as ServerResponse, sent);
  }

  body(limits: BodyLimits): RequestBody {
    const { raw, contentType } = this.request;
    const source = this.bodySource();
    const coding = this.isParsed ? undefined : this.request.header('content-encoding');
    return new RequestBody(this.request, source, limits, () => takeClaim(raw, contentType), coding);
  }

  /** False if a parser has read the body, and its bytes are gone. */
  get hasRawBody(): boolean {
    const { raw, hasBody } = this.request;
    return !hasBody || !raw.readableEnded || (this.native as ExpressRequest).rawBody !== undefined;
  }

  /** True if the adapter has read the body, and undone its coding. */
  private get isParsed(): boolean {
    const { body } = this.native;
    return this.request.raw.readableEnded && body !== undefined && body !== null;
  }

  /** The stream, or what the adapter has made of it already. */
  private bodySource(): Readable | undefined {
    const { raw } = this.request;
    if (!raw.readableEnded) return raw;
    const { rawBody, body } = this.native as ExpressRequest;
    if (rawBody) return Readable.from([rawBody]);
    if (body === undefined || body === null) return undefined;
    return Readable.from([bytesOf(body, this.request.contentType)]);
  }
}

/** Parsed by the adapter: written again, so that there is one way of reading. */
function bytesOf(body: unknown, contentType: string | undefined): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string' && !contentType?.includes('json')) return Buffer.from(body);
  if (!contentType?.includes('urlencoded')) return Buffer.from(JSON.stringify(body));
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body as Record<string, unknown>)) appendField(form, name, value);
  return Buffer.from(form.toString());
}

/** A parser may have made objects of names such as `user[name]`. */
function appendField(form: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) appendField(form, name, item);
  else if (typeof value === 'object' && value !== null)
    for (const [member, item] of Object.entries(value)) appendField(form, `${name}[${member}]`, item);
  else form.append(name, String(value));
}

/** By which names credentials are known. */
export interface CredentialNames {
  /** True for the name of a header that has one. */
  isSensitive(name: string): boolean;
  /** True for the name of a parameter of the query that has one. */
  isListed(name: string): boolean;
}

/**
 * The request at hand for a burst that is run inside another endpoint, such as the one of a management API that runs a
 * workflow on demand. The body of that request is not the workflow's, and neither are the credentials among its headers: the
 * author of a workflow must not get those of who runs it. Afterwards `response.isWritten` tells whether the
 * workflow has answered; `response.send()` sends it.
 * @param credentials says by which other names the host knows credentials, those of its `redaction.add` for example:
 *   `engine.runner.engine.redaction` of `WorkflowEngine`. @default the built-in list of names alone
 */
export function requestContextOf(
  request: object,
  response: object,
  credentials: CredentialNames = DEFAULT_REDACTION,
): HttpRequestContext {
  const { request: asked, target } = new AdapterExchange(request, response);
  // What a host has taken off the list for its journals stays hidden here.
  const isHidden = (name: string): boolean => DEFAULT_REDACTION.isSensitive(name) || credentials.isSensitive(name);
  const isListed = (name: string): boolean => DEFAULT_REDACTION.isListed(name) || credentials.isListed(name);
  const query = withoutParameters(asked.queryString, isListed);
  const url = query === '' ? asked.path : `${asked.path}?${query}`;
  const shown = new HttpRequest(withoutHeaders(asked.raw, isHidden, isListed), url, asked.native);
  return new HttpRequestContext(shown, new RequestBody(shown, undefined, NOTHING), target);
}

/** The same request of Node, without some of its headers, and without credentials in those that repeat a URL. */
function withoutHeaders(
  raw: IncomingMessage,
  isHidden: (name: string) => boolean,
  isListed: (parameter: string) => boolean,
): IncomingMessage {
  const isShown = (name: string): boolean => !isHidden(name);
  const shown = Object.entries(raw.headers).filter(([name]) => isShown(name));
  const headers = Object.fromEntries(
    shown.map(([name, value]) => [name, withoutAddressCredentials(name, value, isListed)]),
  );
  const rawHeaders = raw.rawHeaders
    .map((value, index, all) => (index % 2 === 1 ? withoutAddressCredentials(all[index - 1]!, value, isListed) : value))
    .filter((_, index, all) => isShown(all[index - (index % 2)]!));
  return Object.create(raw, { headers: { value: headers }, rawHeaders: { value: rawHeaders } }) as IncomingMessage;
}

/** The others stay as they were written. */
function withoutParameters(query: string, isHidden: (name: string) => boolean): string {
  const isShown = (part: string): boolean => ![...new URLSearchParams(part).keys()].some(isHidden);
  return query.split('&').filter(isShown).join('&');
}

const NOTHING: BodyLimits = { bytes: 0, defaultBytes: 0, values: 0 };

/** Through Fastify, so that its hooks (CORS, compression, logging) see the response. */
class FastifyTarget implements ResponseTarget {
  private isBegun = false;

  constructor(
    private readonly reply: FastifyReply,
    private readonly sent: (response: ServerResponse) => void,
  ) {}

  get isSent(): boolean {
    return this.isBegun || this.reply.sent || this.reply.raw.headersSent;
  }

  send({ status, headers, body }: PreparedResponse): Promise<void> {
    this.isBegun = true;
    return sendTogether(() => {
      const { reply } = this;
      const before = headers.map(([name]) => [name, reply.getHeader(name)] as const);
      reply.code(status);
      // Those of middleware are on the raw response, and would be replaced; cookies of the reply are kept by Fastify.
      for (const [name, value] of headers) {
        const own = name.toLowerCase() === 'set-cookie' ? undefined : reply.getHeader(name);
        reply.header(name, besideBefore(name, value, reply.raw.getHeader(name), own));
      }
      // Or it would add a charset to the content type of JSON, which the workflow has chosen.
      if (typeof body === 'string') this.reply.serializer(asIs);
      try {
        this.reply.send(body);
        this.sent(this.reply.raw);
      } catch (error) {
        this.takeBack(before);
        throw error;
      }
    });
  }

  /** What could not be sent must not be in the way of the answer that says so. */
  private takeBack(before: HeadersBefore): void {
    if (this.reply.raw.headersSent) return;
    this.isBegun = false;
    for (const [name] of before) this.reply.removeHeader(name);
    for (const [name, value] of before) if (value !== undefined) this.reply.header(name, value as HeaderValue);
  }
}

class NodeTarget implements ResponseTarget {
  private isBegun = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly sent: (response: ServerResponse) => void,
  ) {}

  get isSent(): boolean {
    return this.isBegun || this.response.headersSent || this.response.writableEnded;
  }

  send({ status, headers, body }: PreparedResponse): Promise<void> {
    this.isBegun = true;
    return sendTogether(() => {
      const { response } = this;
      const before = headers.map(([name]) => [name, response.getHeader(name)] as const);
      try {
        for (const [index, [name, value]] of headers.entries())
          response.setHeader(name, besideBefore(name, value, before[index]![1]) as OutgoingHttpHeaders[string] & {});
      } catch (error) {
        this.isBegun = false;
        for (const [name] of before) response.removeHeader(name);
        for (const [name, value] of before) if (value !== undefined) response.setHeader(name, value);
        throw error;
      }
      response.statusCode = status;
      // Content that breaks off ends the connection, which is all that can still be said; a client that left hears nothing.
      const piped =
        body instanceof Readable ? pipeline(body, response).catch(() => undefined) : void response.end(body);
      this.sent(response);
      return piped;
    });
  }
}
