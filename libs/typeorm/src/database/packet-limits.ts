import { type Dialect, MAX_STATEMENT_CHARS } from '../dialect/dialect.js';

/** What a statement consists of besides its longest text. */
const OTHER_BYTES = 32_768;

/** A character takes three bytes at most, each may be escaped, and beside the texts there are numbers. */
const MOST_BYTES_OF_A_CHARACTER = 8;

type PacketLimits = Pick<Dialect, 'maxStatementChars' | 'maxValueBytes' | 'sentBytes' | 'sizeAdvice'>;

/**
 * What a MySQL or MariaDB server with this `max_allowed_packet` takes. A value cannot be put together from several statements
 * either: CONCAT answers NULL for a result beyond the same limit.
 * @param escaped what gets a second character when a value is written into a statement
 */
export function packetLimits(maxPacketBytes: number, escaped: readonly string[]): PacketLimits {
  return {
    maxStatementChars: Math.min(MAX_STATEMENT_CHARS, Math.floor(maxPacketBytes / MOST_BYTES_OF_A_CHARACTER)),
    maxValueBytes: Math.max(maxPacketBytes - OTHER_BYTES, maxPacketBytes / 2),
    sentBytes: (text) => escaped.reduce((sum, character) => sum + count(text, character), Buffer.byteLength(text)),
    sizeAdvice: `The database takes more when its max_allowed_packet is raised, which is ${maxPacketBytes} bytes now.`,
  };
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}
