import type { Readable } from 'node:stream';
import { WaymarkError } from '@waymark/core';

/** The client went away before its request was complete. */
export class RequestAbortedError extends WaymarkError {
  readonly code = 'WM5002';
  constructor(options?: { cause?: unknown }) {
    super('The client closed the connection before the request was complete. Nothing was started or resumed.', options);
  }
}

/**
 * All bytes of a stream; undefined as soon as there are more than the limit. The stream is not destroyed then, so that the
 * connection can still carry an answer. @throws RequestAbortedError
 */
export function readBytes(source: Readable, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: () => void) => {
      source.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      result();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      return settle(() => {
        // What has not arrived yet is thrown away; who answers closes the connection.
        source.on('error', () => undefined).resume();
        resolve(undefined);
      });
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size)));
    const onError = (cause: unknown) => settle(() => reject(new RequestAbortedError({ cause })));
    const onClose = () => settle(() => reject(new RequestAbortedError()));
    source.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
