import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';
import { Pieces } from './wire.js';

/** What each side ends its turn with: the client asks for an answer, the server says that it is ready. */
const ASKS: ReadonlySet<string> = new Set(['Q', 'S']);
const IDLE = 'I'.charCodeAt(0);

interface PooledClient {
  readonly socket: Socket;
  /** Sent before there was a session for it. */
  waiting: Buffer[];
  /** Questions without an answer. */
  asked: number;
  session: ServerSession | undefined;
}

interface ServerSession {
  readonly socket: Socket;
  client: PooledClient | undefined;
}

/**
 * PostgreSQL as it is behind PgBouncer with `pool_mode = transaction`: any number of connections share a few sessions, each of which is
 * a client's for one transaction. They go round, so that a client hardly ever gets the one that it had.
 */
export class TransactionPooler {
  private readonly clients = new Set<PooledClient>();
  private readonly idle: ServerSession[] = [];
  private readonly sessions = new Set<ServerSession>();
  private isPaused = false;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
    /** The URL of the database, by way of the pooler. */
    readonly url: string,
  ) {
    server.on('connection', (socket) => this.welcome(socket));
  }

  /** @param url of the server @param count how many sessions there are */
  static async open(url: string, count: number): Promise<TransactionPooler> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((server.address() as AddressInfo).port);
    const pooler = new TransactionPooler(server, url, through.href);
    for (let opened = 0; opened < count; opened++) await pooler.openSession();
    return pooler;
  }

  /** No session is given out any more, as by PgBouncer's PAUSE; what has one keeps it until its transaction ends. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.giveOut();
  }

  /** Ends one session that a transaction is using, and the connection of its client. If false, there is none. */
  async killBusy(): Promise<boolean> {
    const busy = [...this.sessions].find(({ client }) => client);
    if (!busy) return false;
    await this.replace(busy);
    return true;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const { socket } of [...this.clients, ...this.sessions]) socket.destroy();
    await closed;
  }

  private welcome(socket: Socket): void {
    const client: PooledClient = { socket, waiting: [], asked: 0, session: undefined };
    this.clients.add(client);
    socket.setNoDelay(true).on('error', () => {});
    socket.on('close', () => {
      this.clients.delete(client);
      // Whatever it was in the middle of must not be the next client's.
      if (client.session) void this.replace(client.session);
    });
    const pieces = new Pieces();
    let isStarted = false;
    socket.on('data', (chunk: Buffer) => {
      const lengthOf = (rest: Buffer) => {
        const at = isStarted ? 1 : 0;
        return rest.length < at + 4 ? undefined : at + rest.readInt32BE(at);
      };
      for (const message of pieces.take(chunk, lengthOf)) {
        if (isStarted) this.take(client, message);
        else socket.write(logIn());
        isStarted = true;
      }
    });
  }

  private take(client: PooledClient, message: Buffer): void {
    const type = String.fromCharCode(message[0]!);
    if (type === 'X') return void client.socket.end();
    if (ASKS.has(type)) client.asked++;
    if (client.session) return void client.session.socket.write(message);
    client.waiting.push(message);
    this.giveOut();
  }

  private giveOut(): void {
    for (const client of this.clients) {
      if (this.isPaused || this.idle.length === 0) return;
      if (client.session || client.asked === 0) continue;
      const session = this.idle.shift()!;
      [client.session, session.client] = [session, client];
      for (const message of client.waiting.splice(0)) session.socket.write(message);
      // The next one in line is another one.
      this.clients.delete(client);
      this.clients.add(client);
    }
  }

  private async openSession(): Promise<void> {
    const client = new Client(this.target);
    await client.connect();
    // It has logged in; what is said from now on is for others.
    const { stream: socket } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('end').setNoDelay(true);
    const session: ServerSession = { socket, client: undefined };
    const pieces = new Pieces();
    socket.on('data', (chunk: Buffer) => {
      const lengthOf = (rest: Buffer) => (rest.length < 5 ? undefined : 1 + rest.readInt32BE(1));
      for (const message of pieces.take(chunk, lengthOf)) this.answer(session, message);
    });
    this.sessions.add(session);
    this.idle.push(session);
    this.giveOut();
  }

  private answer(session: ServerSession, message: Buffer): void {
    const { client } = session;
    client?.socket.write(message);
    if (!client || String.fromCharCode(message[0]!) !== 'Z') return;
    client.asked--;
    if (client.asked > 0 || message[5] !== IDLE) return;
    client.session = session.client = undefined;
    this.idle.push(session);
    this.giveOut();
  }

  private async replace(session: ServerSession): Promise<void> {
    this.sessions.delete(session);
    session.socket.destroy();
    session.client?.socket.destroy();
    if (session.client) session.client.session = undefined;
    session.client = undefined;
    if (this.server.listening) await this.openSession();
  }
}

/** Log-in is over, these are the settings, this is a number for cancelling, and it is ready. */
function logIn(): Buffer {
  const settings = { server_version: '15.0', client_encoding: 'UTF8', standard_conforming_strings: 'on' };
  const number = Buffer.alloc(8);
  // No session of the server has that number: they are numbers of processes.
  number.writeInt32BE(2_000_000_000);
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    ...Object.entries(settings).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
    message('K', number),
    message('Z', Buffer.from('I')),
  ]);
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
