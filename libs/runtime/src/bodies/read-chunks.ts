import type { Readable } from 'node:stream';
import { isWaymarkError } from '@waymark/core';
import { RequestAbortedError } from './request-aborted-error.js';
import { type BodyDeadline, DeadlineTimer } from './body-deadline.js';

/**
 * Takes a chunk; false: that is enough. A promise holds the sender back until it is there.
 * @internal
 */
export type TakeChunk = (chunk: Buffer) => boolean | Promise<boolean>;

/**
 * Reads a stream to its end, or until enough is taken. It is not destroyed then, so that the connection can still carry an
 * answer: what has not arrived yet is thrown away, and who answers closes the connection. Where there is no room for a body that
 * would have been taken, the rest of it is read first: many clients read nothing before they have sent all, and would see their
 * connection end instead of the answer.
 * @param most bytes of a body that is taken
 * @returns whether all of it was taken
 * @throws RequestAbortedError, BodyTimeoutError, and what `take` throws
 * @internal
 */
export function readChunks(source: Readable, take: TakeChunk, deadline?: BodyDeadline, most = 0): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    /** There is no room: what comes is thrown away. */
    let noRoom: Error | undefined;
    let read = 0;
    /** What has been handed over and is not taken yet. */
    let taking: Promise<void> | undefined;
    const settle = (result: () => void): void => {
      if (isOver) return;
      isOver = true;
      timer?.stop();
      source.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      result();
    };
    const leave = (result: () => void): void =>
      settle(() => {
        source.on('error', () => undefined).resume();
        result();
      });
    const timer = deadline && new DeadlineTimer(deadline, (error) => leave(() => reject(noRoom ?? error)));
    const fail = (error: Error): void => {
      if (read > most || !isNoRoom(error)) return leave(() => reject(error));
      noRoom = error;
      timer?.touch();
      source.resume();
    };
    const goOn = (wantsMore: boolean): void => {
      if (!wantsMore) leave(() => resolve(false));
    };
    const onData = (chunk: Buffer): void => {
      timer?.touch();
      read += chunk.length;
      if (noRoom) return void (read > most && leave(() => reject(noRoom!)));
      let taken: ReturnType<TakeChunk>;
      try {
        taken = take(chunk);
      } catch (error) {
        return fail(error as Error);
      }
      if (typeof taken === 'boolean') return goOn(taken);
      source.pause();
      timer?.hold();
      taking = taken.then(
        (wantsMore) => {
          taking = undefined;
          goOn(wantsMore);
          if (isOver) return;
          timer?.touch();
          source.resume();
        },
        (error: unknown) => {
          taking = undefined;
          fail(error as Error);
        },
      );
    };
    const onEnd = (): void => {
      const end = (): void => settle(() => (noRoom ? reject(noRoom) : resolve(true)));
      if (taking) void taking.then(end);
      else end();
    };
    const onError = (cause: unknown): void => settle(() => reject(new RequestAbortedError({ cause })));
    const onClose = (): void => {
      if (!source.readableEnded) settle(() => reject(new RequestAbortedError()));
    };
    source.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** In memory, or on the disk for uploads. */
const isNoRoom = (error: unknown): boolean => isWaymarkError(error, 'WM5069') || isWaymarkError(error, 'WM5066');
