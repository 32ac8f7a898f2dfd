import { type Command, Pieces, type Refusal, type Wire } from './wire.js';

const REFUSALS: Readonly<Record<Refusal, readonly [errno: number, message: string]>> = {
  'read-only': [1290, 'The MariaDB server is running with the --read-only option so it cannot execute this statement'],
  'disk-full': [1021, 'Disk full (Errcode: 28 "No space left on device")'],
  'out-of-memory': [1041, 'Out of memory.'],
  deadlock: [1213, 'Deadlock found when trying to get lock; try restarting transaction'],
  'not-serializable': [1020, 'Record has changed since last read'],
};

const COM_QUERY = 0x03;
const TOO_MANY_CONNECTIONS = 1040;

/** The protocol of MySQL and MariaDB, without TLS and compression. Of prepared statements it sees nothing. */
export class MysqlWire implements Wire {
  readonly clientSpeaksFirst = false;
  readonly tooManyConnections = errorPacket(TOO_MANY_CONNECTIONS, '08004', 'Too many connections');
  private readonly pieces = new Pieces();

  read(chunk: Buffer): Command[] {
    const packets = this.pieces.take(chunk, (rest) => (rest.length < 4 ? undefined : 4 + rest.readUIntLE(0, 3)));
    return packets.map((bytes) => ({ bytes, sql: sqlOf(bytes) }));
  }

  /** What begins a transaction still does: the statement after it is the one that fails. */
  refused({ sql }: Command, refusal: Refusal): Buffer {
    const [errno, message] = REFUSALS[refusal];
    const begin = /^(SET TRANSACTION[^;]*; )?START TRANSACTION; /.exec(sql)?.[0] ?? '';
    return query(`${begin}SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = '${message}'`);
  }
}

/** A command begins a conversation, so its packet has the number 0; those of a log-in have not. */
function sqlOf(packet: Buffer): string {
  if (packet[3] !== 0 || packet[4] !== COM_QUERY) return '';
  // MySQL 8 may put the number of attributes first: none, in one set.
  const start = packet[5] === 0 && packet[6] === 1 ? 7 : 5;
  return packet.toString('utf8', start);
}

function query(sql: string): Buffer {
  return framed(0, Buffer.concat([Buffer.from([COM_QUERY]), Buffer.from(sql)]));
}

function errorPacket(errno: number, sqlState: string, message: string): Buffer {
  const head = Buffer.alloc(3);
  head[0] = 0xff;
  head.writeUInt16LE(errno, 1);
  return framed(0, Buffer.concat([head, Buffer.from(`#${sqlState}${message}`)]));
}

function framed(sequence: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, payload]);
}
