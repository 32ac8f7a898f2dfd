import type { Readable } from 'node:stream';
import { isWaymarkError } from '@waymark/core';
import { RequestAbortedError } from './request-aborted-error.js';
import { type BodyDeadline, DeadlineTimer } from './body-deadline.js';
import { BodyInPiecesError } from './body-in-pieces-error.js';
import { discardInTurns, TurnOfChunks } from './turn-of-chunks.js';

/** A body of any size may come in so many pieces: what a client types, or writes piece by piece. */
const MOST_PIECES = 20_000;
/** Beyond, they have at least so many bytes each. A megabyte in pieces of a byte took the processor for ten seconds. */
const BYTES_OF_PIECE = 16;

/**
 * Takes a chunk. @returns false to read no more; a promise pauses the source until it is settled
 * @internal
 */
export type TakeChunk = (chunk: Buffer) => boolean | Promise<boolean>;

/**
 * Reads a stream to its end, or until `take` wants no more. The stream is not destroyed then, so that the connection can still
 * carry a response: the rest is discarded as it arrives, and the code that responds closes the connection. When there is no room
 * for a body of an acceptable size, the rest of it is read before the promise rejects: many clients read nothing until they have
 * sent the whole request, and would see a closed connection in place of the response.
 * @param most bytes of the largest acceptable body
 * @returns whether all of it was taken
 * @throws RequestAbortedError, BodyTimeoutError, BodyInPiecesError, RuntimeNotAcceptingWorkError while the host shuts down, and what
 * `take` throws
 * @internal
 */
export function readChunks(source: Readable, take: TakeChunk, deadline?: BodyDeadline, most = 0): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    /** Set when there is no room: the rest is read and discarded. */
    let noRoom: Error | undefined;
    let read = 0;
    let pieces = 0;
    /** Pending while `take` is at work on a chunk. */
    let taking: Promise<void> | undefined;
    const settle = (result: () => void): void => {
      if (isOver) return;
      isOver = true;
      timer?.stop();
      turn.end();
      source.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      result();
    };
    const leave = (result: () => void): void =>
      settle(() => {
        source.on('error', () => undefined);
        discardInTurns(source);
        result();
      });
    const turn = new TurnOfChunks(source, () => taking === undefined);
    const timer = deadline && new DeadlineTimer(deadline, (error) => leave(() => reject(noRoom ?? error)));
    const fail = (error: Error): void => {
      if (read > most || !isNoRoom(error)) return leave(() => reject(error));
      noRoom = error;
      timer?.touch();
      turn.resume();
    };
    const goOn = (wantsMore: boolean): void => {
      if (!wantsMore) leave(() => resolve(false));
    };
    const onData = (chunk: Buffer): void => {
      timer?.touch();
      turn.count();
      read += chunk.length;
      if (++pieces > MOST_PIECES + read / BYTES_OF_PIECE)
        return leave(() => reject(new BodyInPiecesError(pieces, read)));
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
          turn.resume();
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
    // Closed before, as when the client left while guards were at work: no event follows.
    if (source.closed) onClose();
  });
}

/** In memory, or on the disk for uploads. */
const isNoRoom = (error: unknown): boolean => isWaymarkError(error, 'WM5069') || isWaymarkError(error, 'WM5066');
