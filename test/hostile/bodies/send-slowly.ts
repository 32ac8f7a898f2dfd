import net from 'node:net';
import type { SlowRequest } from './slow-corpus.js';

export interface SlowAnswer {
  /** 0: the connection ended without an answer; -1: nothing came within `PATIENCE_MS`. */
  readonly status: number;
  readonly body: string;
  readonly seconds: number;
}

/** A minute for heads, half a minute until Node looks for them, and as long again. */
const PATIENCE_MS = 180_000;

/** Ends with the first bytes of an answer. */
export function sendSlowly(origin: string, { first, piece = '', everyMs }: SlowRequest): Promise<SlowAnswer> {
  const { hostname, port } = new URL(origin);
  const beganAt = performance.now();
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    const dripping = everyMs === undefined ? undefined : setInterval(() => socket.write(piece), everyMs);
    const end = (status: number, body: string): void => {
      clearInterval(dripping);
      clearTimeout(patience);
      resolve({ status, body, seconds: Math.round((performance.now() - beganAt) / 1000) });
      socket.destroy();
    };
    const patience = setTimeout(() => end(-1, ''), PATIENCE_MS);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      end(Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text);
    });
    socket.on('close', () => end(0, '')).on('error', () => end(0, ''));
    socket.write(first);
  });
}
