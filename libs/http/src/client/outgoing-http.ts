import http from 'node:http';
import https from 'node:https';
import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { ByteBlocks } from '@waymark/runtime/adapter';
import type { HeaderValue } from '../responses/http-response-writer.js';
import { isFraming } from '../responses/sendable.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { limitPieces } from './answer-pieces.js';
import { decompressed, withoutCoding } from './decompress.js';
import { isRepeatable, processAgent } from './outgoing-agents.js';
import { OutgoingAddresses } from './outgoing-addresses.js';
import { OutgoingNames } from './outgoing-names.js';
import {
  type ByteLimit,
  ConnectionFailedError,
  ContentCodingError,
  InvalidOutgoingRequestError,
  OutgoingAddressRefusedError,
  OutgoingTimeoutError,
  ResponseInPiecesError,
  ResponseTooLargeError,
  shownUrl,
} from './outgoing-errors.js';
import { redirected } from './redirected.js';
import { ResponseHeaders } from './response-headers.js';

export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, HeaderValue])[];
  readonly body?: Uint8Array;
  /** True for a header that a redirect to another origin does not get. `Authorization` and `Cookie` are removed in any case. */
  readonly isCredential?: (name: string, value: HeaderValue) => boolean;
  /** Asked of a body that a redirect would send to another origin: if true, the redirect is not followed. @default false */
  readonly holdsSecret?: (body: Uint8Array) => boolean;
  /** If true, the answer is a file, for which `maxDownloadBytes` holds. @default false: `maxResponseBytes` */
  readonly isDownload?: boolean;
  /** Aborted when the burst is: the request is given up and the signal's reason thrown. */
  readonly signal?: AbortSignal;
}

export interface IncomingResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

const MAX_REDIRECTS = 50;

/**
 * Sends requests for workflows. Made on `node:http` and not on `fetch`, which lower-cases the names of headers, refuses
 * some of them, and sends no body with a GET: workflows made elsewhere rely on all three.
 */
@Injectable()
export class OutgoingHttp {
  private readonly names = new OutgoingNames();
  private readonly addresses: OutgoingAddresses | undefined;

  constructor(
    private readonly clock: WorkflowClock,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {
    this.addresses = OutgoingAddresses.of(options.outgoing, this.names.resolve);
  }

  /**
   * The response with its whole body; redirects are followed, except those that would betray what the request has (see `redirected`).
   * @throws ConnectionFailedError (`WM5010`), OutgoingTimeoutError (`WM5011`), OutgoingAddressRefusedError (`WM5030`),
   *   ResponseTooLargeError (`WM5014`), ResponseInPiecesError (`WM6082`), ContentCodingError (`WM5048`),
   * InvalidOutgoingRequestError (`WM5012`), and the reason of the signal
   */
  async send(request: OutgoingRequest): Promise<IncomingResponse> {
    refuseTunnels(request);
    const deadline = new AbortController();
    const { requestTimeoutMs } = this.options;
    const cancelTimer = this.clock.setTimer(() => deadline.abort(), requestTimeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline.signal]) : deadline.signal;
    try {
      return await this.follow(request, signal);
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      if (deadline.signal.aborted) throw new OutgoingTimeoutError(request.method, request.url, requestTimeoutMs);
      throw error;
    } finally {
      cancelTimer();
    }
  }

  private async follow(request: OutgoingRequest, signal: AbortSignal): Promise<IncomingResponse> {
    let next = request;
    for (let redirects = 0; ; redirects++) {
      const response = await exchange(
        next,
        parseUrl(next.url),
        { signal, addresses: this.addresses, names: this.names },
        this.limitOf(request),
      );
      const location = response.headers.first('location');
      if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined || redirects >= MAX_REDIRECTS)
        return response;
      const target = redirected(next, response.status, location);
      if (!target) return response;
      next = target;
    }
  }

  private limitOf({ isDownload }: OutgoingRequest): ByteLimit {
    const option = isDownload ? 'maxDownloadBytes' : 'maxResponseBytes';
    return { option, bytes: this.options[option] };
  }
}

/** CONNECT opens a tunnel, and TRACE echoes the request with its credentials. `fetch` refuses them as well. */
function refuseTunnels({ method, url }: OutgoingRequest): void {
  if (['CONNECT', 'TRACE', 'TRACK'].includes(method.toUpperCase()))
    throw new InvalidOutgoingRequestError(
      `${method} ${shownUrl(url)}: the method ${method} is not supported. Use another one, such as GET or POST.`,
    );
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed;
  throw new InvalidOutgoingRequestError(`"${shownUrl(url)}" is not an absolute http(s) URL.`);
}

interface Way {
  readonly signal: AbortSignal;
  readonly addresses: OutgoingAddresses | undefined;
  readonly names: OutgoingNames;
}

function exchange(
  request: OutgoingRequest,
  url: URL,
  way: Way,
  { bytes: maxBytes, option }: ByteLimit,
): Promise<IncomingResponse> {
  const { signal } = way;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(
        signal.aborted || error instanceof OutgoingAddressRefusedError || error instanceof ContentCodingError
          ? error
          : new ConnectionFailedError(request.method, request.url, error),
      );
    const send = (isRepeated: boolean) => {
      const outgoing = create(request, url, way);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // Most likely the server closed an idle connection just as it was used again. It may have had the request, too.
        const isStale = error.code === 'ECONNRESET' && outgoing.reusedSocket;
        if (isStale && !isRepeated && isRepeatable(request.method, request.headers)) send(true);
        else fail(error);
      });
      const switched = (): void => {
        fail(new Error('the server switched to another protocol, which was not requested'));
        outgoing.destroy();
      };
      // After an upgrade, Node hands over the socket, and neither a response nor an end nor the time limit would follow.
      outgoing.on('upgrade', switched);
      const countPieces = limitPieces(outgoing, (what) => {
        reject(new ResponseInPiecesError(request.method, request.url, what));
        outgoing.destroy();
      });
      outgoing.on('response', (incoming) => {
        if (incoming.statusCode === 101) return switched();
        countPieces(incoming);
        const blocks = new ByteBlocks();
        const refuse = (): void => {
          reject(new ResponseTooLargeError(request.method, request.url, maxBytes, option));
          outgoing.destroy();
        };
        // The body may be long, and is not needed.
        if (request.method !== 'HEAD' && Number(incoming.headers['content-length'] ?? 0) > maxBytes) return refuse();
        const end = (): void => {
          const { rawHeaders, statusCode = 0, statusMessage = '' } = incoming;
          const headers = new ResponseHeaders(content.isDecoded ? withoutCoding(rawHeaders) : rawHeaders);
          resolve({ status: statusCode, reason: statusMessage, headers, body: blocks.take() });
        };
        const broken = (cause: Error) => fail(new ContentCodingError(request.method, request.url, cause));
        const content = decompressed(incoming, request.method, end, broken, request.isDownload ? url : undefined);
        // By what it becomes: a small one may become one that fills the memory.
        content.stream.on('data', (chunk: Buffer) => {
          if (blocks.length + chunk.length <= maxBytes) return blocks.append(chunk);
          refuse();
          // What has arrived may become far more: kilobytes of two codings become gigabytes, which take minutes.
          content.stream.destroy();
        });
        incoming.on('error', fail);
        content.stream.on('end', end);
      });
      outgoing.end(request.body);
    };
    try {
      send(false);
    } catch (cause) {
      if (cause instanceof OutgoingAddressRefusedError) return reject(cause);
      // Node checks method and headers before it connects.
      reject(
        new InvalidOutgoingRequestError(`${request.method} ${shownUrl(request.url)}: ${(cause as Error).message}`, {
          cause,
        }),
      );
    }
  });
}

function create(
  { method, headers, body }: OutgoingRequest,
  url: URL,
  { signal, addresses, names }: Way,
): http.ClientRequest {
  const isRepeated = isRepeatable(method, headers);
  const way = addresses?.requestOptions(url, isRepeated) ?? {
    agent: processAgent(url, isRepeated),
    lookup: names.lookup,
  };
  const outgoing = (url.protocol === 'https:' ? https : http).request(url, { method, signal, ...way });
  // A relay may pass on all headers that it got.
  for (const header of headers) if (!isFraming(header)) outgoing.setHeader(...header);
  if (body) outgoing.setHeader('Content-Length', body.length);
  else if (['POST', 'PUT', 'PATCH'].includes(method)) outgoing.setHeader('Content-Length', 0);
  return outgoing;
}
