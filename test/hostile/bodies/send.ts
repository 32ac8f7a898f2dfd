import http from 'node:http';
import net from 'node:net';
import { type HostileRequest, RAW } from './hostile-request.js';

export interface Answer {
  /** 0: the connection ended before an answer; -1: neither came within `PATIENCE_MS`. */
  readonly status: number;
  readonly body: string;
  /** Absent without an answer of HTTP. */
  readonly contentType?: string | undefined;
}

/** A request without an answer by then counts as hanging. Far beyond what a loaded machine takes for one. */
const PATIENCE_MS = 120_000;
const HANGING: Answer = { status: -1, body: '' };

/** @param body what `request.body()` gave */
export function send(origin: string, request: HostileRequest, body: string | Buffer): Promise<Answer> {
  return request.method === RAW ? sendBytes(origin, request, body) : sendRequest(origin, request, body);
}

/** Not by `fetch`, which sends less than strangers do, nor with a parsed URL, which takes dots out of paths. */
function sendRequest(
  origin: string,
  { method, path, headers }: HostileRequest,
  body: string | Buffer,
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const length = method === 'GET' && body.length === 0 ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = { hostname, port, method, path, headers: { ...headers, ...length }, agent: false };
    const outgoing = http.request(options);
    const patience = setTimeout(() => end(HANGING), PATIENCE_MS);
    const end = (answer: Answer): void => {
      clearTimeout(patience);
      resolve(answer);
      outgoing.destroy();
    };
    let isAnswered = false;
    outgoing.on('response', (incoming) => {
      isAnswered = true;
      // It does not end by itself.
      if (incoming.headers['content-type']?.startsWith('text/event-stream'))
        return end({ status: incoming.statusCode ?? 0, body: '' });
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      const { 'content-type': contentType } = incoming.headers;
      const read = () => end({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString(), contentType });
      incoming.on('end', read).on('error', read);
    });
    outgoing.on('error', (error) => {
      if (!isAnswered) end({ status: 0, body: error.message });
    });
    outgoing.end(body);
  });
}

/** Bytes by themselves; they ask for the connection to be closed after the answer. */
function sendBytes(origin: string, { endsEarly, isReset }: HostileRequest, bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    const patience = setTimeout(() => end(HANGING), PATIENCE_MS);
    const chunks: Buffer[] = [];
    const end = (answer: Answer): void => {
      clearTimeout(patience);
      resolve(answer);
      socket.destroy();
    };
    const read = (): void => {
      const text = Buffer.concat(chunks).toString('latin1');
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
      end({ status, body: text });
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', read).on('close', read).on('error', read);
    if (isReset) socket.write(bytes, () => socket.resetAndDestroy());
    else if (endsEarly) socket.end(bytes);
    else socket.write(bytes);
  });
}
