import { type Command, Pieces, type Refusal, type Wire } from './wire.js';

const REFUSALS: Readonly<Record<Refusal, readonly [sqlState: string, message: string]>> = {
  'read-only': ['25006', 'cannot execute this in a read-only transaction'],
  'disk-full': ['53100', 'could not extend file: No space left on device'],
  'out-of-memory': ['53200', 'out of memory'],
  deadlock: ['40P01', 'deadlock detected'],
  'not-serializable': ['40001', 'could not serialize access due to concurrent update'],
};

/** Both begin like a start-up message: length and a number of their own in place of the version. */
const NEGOTIATIONS: ReadonlySet<number> = new Set([80877103, 80877104]);

/** PostgreSQL's protocol, version 3, without TLS. */
export class PostgresWire implements Wire {
  readonly clientSpeaksFirst = true;
  readonly tooManyConnections = errorResponse('53300', 'sorry, too many clients already');
  private readonly pieces = new Pieces();
  private readonly prepared = new Map<string, string>();
  private started = false;
  /** Messages of the extended protocol up to their Sync or Flush. */
  private group: Buffer[] = [];
  private texts: string[] = [];

  read(chunk: Buffer): Command[] {
    const messages = this.pieces.take(chunk, (rest) => this.lengthOf(rest));
    return messages.flatMap((message) => this.toCommand(message) ?? []);
  }

  /** A simple query that raises the error. The server answers it as the client expects: the error, then that it is ready. */
  refused(_command: Command, refusal: Refusal): Buffer {
    const [sqlState, message] = REFUSALS[refusal];
    return simpleQuery(`DO $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${sqlState}'; END $$`);
  }

  private lengthOf(rest: Buffer): number | undefined {
    const at = this.started ? 1 : 0;
    if (rest.length < at + 8 && (!this.started || rest.length < 5)) return undefined;
    if (!this.started && !NEGOTIATIONS.has(rest.readInt32BE(4))) {
      this.started = true;
      return rest.readInt32BE(0);
    }
    return at + rest.readInt32BE(at);
  }

  private toCommand(message: Buffer): Command | undefined {
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'Q':
        return { bytes: message, sql: textAt(message, 5).text };
      case 'P': {
        const name = textAt(message, 5);
        const { text } = textAt(message, name.end);
        if (name.text !== '') this.prepared.set(name.text, text);
        return this.gather(message, text);
      }
      case 'B': {
        const portal = textAt(message, 5);
        return this.gather(message, this.prepared.get(textAt(message, portal.end).text));
      }
      case 'D':
      case 'E':
      case 'C':
        return this.gather(message);
      case 'S':
      case 'H': {
        const command = { bytes: Buffer.concat([...this.group, message]), sql: this.texts.join('; ') };
        [this.group, this.texts] = [[], []];
        return command;
      }
      default:
        return { bytes: message, sql: '' };
    }
  }

  private gather(message: Buffer, text?: string): undefined {
    this.group.push(message);
    if (text !== undefined) this.texts.push(text);
    return undefined;
  }
}

function textAt(message: Buffer, start: number): { text: string; end: number } {
  const end = message.indexOf(0, start);
  return { text: message.toString('utf8', start, end), end: end + 1 };
}

function simpleQuery(sql: string): Buffer {
  return framed('Q', Buffer.from(`${sql}\0`));
}

function errorResponse(sqlState: string, message: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${sqlState}`, `M${message}`].map((field) => `${field}\0`).join('');
  return framed('E', Buffer.from(`${fields}\0`));
}

function framed(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
