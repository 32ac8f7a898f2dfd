import { type Dialect, MAX_STATEMENT_CHARS } from '../dialect/dialect.js';

/** What a statement consists of besides its longest text. */
const OTHER_BYTES = 32_768;

/** A character takes three bytes at most, each may be escaped or written as two digits, and beside the texts there are numbers. */
const MOST_BYTES_OF_A_CHARACTER = 8;

type PacketLimits = Pick<Dialect, 'maxStatementChars' | 'maxValueBytes' | 'sentBytes' | 'sizeAdvice'>;

/**
 * What a MySQL or MariaDB server with this `max_allowed_packet` takes. A value cannot be put together from several statements
 * either: CONCAT answers NULL for a result beyond the same limit.
 * @param sentBytes of a text when it is written into a statement
 */
export function packetLimits(maxPacketBytes: number, sentBytes: (text: string) => number): PacketLimits {
  return {
    maxStatementChars: Math.min(MAX_STATEMENT_CHARS, Math.floor(maxPacketBytes / MOST_BYTES_OF_A_CHARACTER)),
    maxValueBytes: Math.max(maxPacketBytes - OTHER_BYTES, maxPacketBytes / 2),
    sentBytes,
    sizeAdvice: `Raise max_allowed_packet of the database, which is ${maxPacketBytes} bytes now.`,
  };
}
