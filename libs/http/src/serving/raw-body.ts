import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpAdapterHost } from '@nestjs/core';
import { type BodyDeadline, ByteBlocks, readChunks } from '@waymark/runtime/adapter';
import { isWaymarkError } from '@waymark/core';
import { earlyClaim } from '../requests/body-claim.js';
import { noteOverdue } from '../requests/overdue-body.js';

interface Parsing {
  registerParserMiddleware?(prefix?: string, rawBody?: boolean): unknown;
}

/**
 * Listens for whether the application was made with `rawBody: true`: Nest tells its adapter alone, when it registers its
 * parsers, which never see the bodies of workflows.
 * @returns asks for what was heard
 */
export function noteRawBody(host: HttpAdapterHost): () => boolean {
  let isKept = false;
  const listen = (): void => {
    const adapter = host.httpAdapter as Parsing | undefined;
    const register = adapter?.registerParserMiddleware;
    if (!adapter || !register) return;
    adapter.registerParserMiddleware = (prefix, rawBody) => {
      isKept = rawBody === true;
      return register.call(adapter, prefix, rawBody);
    };
  };
  // Tests choose the adapter after the application was compiled.
  if (host.httpAdapter) listen();
  else host.init$.subscribe(listen);
  return () => isKept;
}

/**
 * Reads a body before the guards are asked, as `request.rawBody`, so that they can check its signature. Of a longer one than
 * the host takes no more is read than shows that it is; the rest is thrown away, as is one that does not come in time.
 * @returns false for a client that leaves before the end: it is asked nothing and answered nothing
 */
export async function bufferBody(
  raw: IncomingMessage,
  request: object,
  response: ServerResponse,
  limit: number,
  deadline: BodyDeadline,
): Promise<boolean> {
  // Refused by its announced length, unread.
  const announced = Number(raw.headers['content-length'] ?? 0);
  if (announced > limit) return true;
  const claim = earlyClaim(raw, response, raw.headers['content-type']);
  const blocks = new ByteBlocks();
  const take = (chunk: Buffer): boolean => {
    // One chunk more than the limit stays, by which the body is refused.
    if (blocks.length > limit) return true;
    if (blocks.length === 0) claim.expect(announced);
    claim.hold(blocks.length + chunk.length);
    blocks.append(chunk);
    return true;
  };
  try {
    await readChunks(raw, take, deadline, limit);
    (request as { rawBody?: Buffer }).rawBody = blocks.take();
    return true;
  } catch (error) {
    if (!isWaymarkError(error) || !['WM3005', 'WM5019', 'WM5064', 'WM5069'].includes(error.code)) return false;
    noteOverdue(raw, error);
    return true;
  }
}
