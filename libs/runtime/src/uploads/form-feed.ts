import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** Of a slice: the shortest parts of a form, some 40 bytes each, take a parser 20 µs and more. */
const SLICE_BYTES = 65_536;

/**
 * A parser works on what it has and needs nothing from outside, so its answer is a few turns of the event loop away. After
 * so many there is none to come.
 */
const TURNS_TO_ANSWER = 20;

/**
 * Feeds a parser of multipart forms slice by slice, so that a body of many short parts leaves turns to other requests, and
 * notices when the parser falls silent: of a long part without a head it neither takes the rest nor says that it has ended,
 * and the request would never be answered. Destroy the feed when the parts are not needed any more.
 * @param onSilence not called once the parser has finished or failed
 * @param onFault what the parser threw, or a listener of it that it called: it would end the process otherwise
 * @returns where the body is written to; it takes everything, also what comes after the parser has ended
 * @internal
 */
export function formFeed(parser: Writable, onSilence: () => void, onFault: (error: unknown) => void): Writable {
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  parser.once('finish', end).once('error', end);
  const feed = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => void reportingFaults(() => takeAll(chunk), done),
    final: (done) => void reportingFaults(endParser, done),
  });
  const isOver = (): boolean => hasEnded || feed.destroyed;

  async function reportingFaults(work: () => Promise<void>, done: () => void): Promise<void> {
    try {
      await work();
    } catch (error) {
      feed.destroy();
      onFault(error);
    }
    done();
  }

  async function takeAll(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length && !isOver(); at += SLICE_BYTES) {
      let isTaken = false;
      parser.write(bytes.subarray(at, at + SLICE_BYTES), () => {
        isTaken = true;
      });
      await answerOf(() => isTaken);
    }
  }

  async function endParser(): Promise<void> {
    if (!isOver()) parser.end();
    await answerOf(() => false);
  }

  async function answerOf(isThere: () => boolean): Promise<void> {
    for (let turn = 0; turn < TURNS_TO_ANSWER; turn++) {
      await setImmediate();
      if (isThere() || isOver()) return;
    }
    feed.destroy();
    onSilence();
  }

  return feed;
}

/**
 * A listener of a parser's events whose exceptions reach `onFault`. The streams of parts emit theirs in turns of their own, where nothing
 * but the process would catch one.
 * @internal
 */
export const guarded =
  <Args extends unknown[]>(listener: (...args: Args) => unknown, onFault: (error: unknown) => void) =>
  (...args: Args): void => {
    try {
      listener(...args);
    } catch (error) {
      onFault(error);
    }
  };
