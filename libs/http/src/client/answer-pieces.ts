import type { ClientRequest, IncomingMessage } from 'node:http';
import { readInTurns } from '@waymark/runtime/adapter';

/** An answer of any size may come in so many pieces: what a server writes line by line. */
const MOST_PIECES = 20_000;
/** Beyond, they have at least so many bytes each, as those of requests do. */
const BYTES_OF_PIECE = 16;
/** Answers with 100 to 199, of which HTTP allows any number before the answer itself. */
const MOST_INTERIM = 100;

/**
 * Limits how often a server can make this process work with a few bytes. It may send chunks of a byte as fast as it can: one turn of the event
 * loop had 350,000 of them, and 10 MB of content has ten million.
 * @param refuse called at most once, with what was too much
 */
export function limitPieces(
  outgoing: ClientRequest,
  refuse: (what: string) => void,
): (incoming: IncomingMessage) => void {
  let isRefused = false;
  const refuseOnce = (what: string): void => {
    if (isRefused) return;
    isRefused = true;
    refuse(what);
  };
  let interim = 0;
  outgoing.on('information', () => {
    if (++interim > MOST_INTERIM) refuseOnce(`more than ${MOST_INTERIM} interim answers`);
  });
  return (incoming) => {
    let [pieces, bytes] = [0, 0];
    readInTurns(incoming, (length) => {
      bytes += length;
      if (++pieces > MOST_PIECES + bytes / BYTES_OF_PIECE) refuseOnce(`${pieces} pieces with ${bytes} bytes in total`);
    });
  };
}
