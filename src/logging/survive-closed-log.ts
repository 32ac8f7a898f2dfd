import type { Writable } from 'node:stream';

/**
 * Where the log goes to may end before the host does: a collector that crashes, a pipe whose reader is restarted. Node reports that as
 * an error of the stream, and one to which nothing listens ends the process. The host continues without a log, and its health tells the
 * rest. A disk that is full is the same.
 */
export function surviveClosedLog(streams: readonly Writable[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}
