import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cut, Joint, type JointFaults } from './joint.js';
import { MysqlWire } from './mysql-wire.js';
import { PostgresWire } from './postgres-wire.js';
import type { Refusal } from './wire.js';

export type { Refusal } from './wire.js';

/** A statement that changes something, wherever in a command it stands. */
export const WRITES = /(?:^|[;(])\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i;
/** What a server refuses that is a standby, or is being failed over: it locks no rows either. */
export const WRITES_AND_LOCKS = new RegExp(`${WRITES.source}|\\bFOR UPDATE\\b`, 'i');

/**
 * Stands between clients and a database server and does to them what bad networks and ailing servers do. Every fault
 * begins when its method is called and ends with `heal()`. It speaks the protocols of PostgreSQL and MySQL/MariaDB as far as
 * the faults need it, without TLS.
 *
 * ```ts
 * const proxy = await FaultProxy.open('postgres://…');
 * const persistence = TypeOrmPersistence.fromUrl(proxy.url);
 * proxy.blackHole('established');
 * ```
 */
export class FaultProxy {
  private readonly joints = new Set<Joint>();
  private readonly faults: { -readonly [K in keyof JointFaults]: JointFaults[K] };
  private limit = Infinity;
  private holesNewOnes = false;
  private turnedAway = 0;
  private commitsCut = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    /** The URL of the database, by way of the proxy. */
    readonly url: string,
    pause: JointFaults['pause'],
  ) {
    this.faults = { latencyMs: 0, pause };
    server.on('connection', (client) => this.join(client));
  }

  /**
   * @param url of a server, `postgres://…`, `mysql://…` or `mariadb://…`
   * @param pause how delays are waited for. Default: in real time
   */
  static async open(url: string, pause: JointFaults['pause'] = sleep): Promise<FaultProxy> {
    // Half-open on purpose: a black hole does not even confirm that the other side hung up.
    const server = createServer({ allowHalfOpen: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((server.address() as AddressInfo).port);
    return new FaultProxy(server, new URL(url), through.href, pause);
  }

  /** What happened so far: open connections, those turned away by the limit, and commits cut. */
  get figures(): { readonly connections: number; readonly turnedAway: number; readonly commitsCut: number } {
    return { connections: this.joints.size, turnedAway: this.turnedAway, commitsCut: this.commitsCut };
  }

  /** How often clients have sent something into a black hole, over connections that are still there. */
  get swallowed(): number {
    return [...this.joints].reduce((sum, joint) => sum + joint.swallowed, 0);
  }

  /** Cuts one connection, whatever is on its way. False when there is none. */
  cutOne(random: { pick<T>(items: readonly T[]): T }): boolean {
    if (this.joints.size === 0) return false;
    random.pick([...this.joints]).cut();
    return true;
  }

  /** Cuts every connection; new ones work. */
  cutAll(): void {
    for (const joint of this.joints) joint.cut();
  }

  /**
   * From now on nothing passes in either direction, and the sockets stay open: neither side hears that the other is gone.
   * `established`: the connections that are there now, while new ones work, as after a failover or in a firewall that lost
   * its table. `all`: new ones too, as in a network that is down. What was sent meanwhile arrives after `heal()`.
   * @returns how many connections it is
   */
  blackHole(which: 'established' | 'all'): number {
    for (const joint of this.joints) joint.hold();
    if (which === 'all') this.holesNewOnes = true;
    return this.joints.size;
  }

  /** What is sent takes so much longer in each direction; a round trip takes twice that. In milliseconds. */
  delay(latencyMs: number): void {
    this.faults.latencyMs = latencyMs;
  }

  /** `cutAt` for commits. @param times how many of them. Default: all until `heal()` */
  cutCommits(moment: Cut, times = Infinity): void {
    this.cutAt(moment, (sql) => {
      if (!/^\s*COMMIT\b/i.test(sql) || times-- <= 0) return false;
      this.commitsCut++;
      return true;
    });
  }

  /**
   * Cuts a connection in the moment of a statement. `before`: the server never gets it, and rolls back. `after`: it is done, and
   * its answer is lost. `black-hole`: nothing is cut, but the server never gets it and neither side receives anything of the other
   * again, as when a host loses power in a transaction; also after `heal()`.
   * @param isIt asked for each command
   */
  cutAt(moment: Cut, isIt: (sql: string) => boolean): void {
    this.faults.cut = (sql) => (isIt(sql) ? moment : undefined);
  }

  /**
   * Statements that match are refused by the server with such an error; see `WRITES`.
   * @param which `established`: on the connections that are there now, as after a failover. @default 'all'
   */
  refuse(matching: RegExp, refusal: Refusal, which: 'established' | 'all' = 'all'): void {
    const established = new Set(this.joints);
    const concerns = (joint: Joint): boolean => which === 'all' || established.has(joint);
    this.faults.refuse = (sql, joint) => (concerns(joint) && matching.test(sql) ? refusal : undefined);
  }

  /** The server refuses each command for which `isIt` answers true. @param isIt asked for each command that the server gets */
  refuseOnce(refusal: Refusal, isIt: (sql: string) => boolean): void {
    this.faults.refuse = (sql) => (isIt(sql) ? refusal : undefined);
  }

  /** New connections beyond so many are answered "too many connections". Those that are there stay. */
  limitConnections(limit: number): void {
    this.limit = limit;
  }

  /** Ends every fault. Connections that were black holes continue where they were, as after a pause of the network. */
  heal(): void {
    this.limit = Infinity;
    this.holesNewOnes = false;
    this.faults.latencyMs = 0;
    this.faults.cut = undefined;
    this.faults.refuse = undefined;
    for (const joint of this.joints) joint.goOn();
  }

  /** Cuts everything and stops listening. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cutAll();
    await closed;
  }

  private join(client: Socket): void {
    const wire = this.target.protocol.startsWith('postgres') ? new PostgresWire() : new MysqlWire();
    const defaultPort = wire instanceof PostgresWire ? 5432 : 3306;
    if (this.joints.size >= this.limit && !this.holesNewOnes) {
      this.turnedAway++;
      // What the client says first has to be read, or it would see a reset in place of the answer.
      client.on('error', () => {});
      const answer = () => client.end(wire.tooManyConnections, () => client.destroySoon());
      if (wire.clientSpeaksFirst) client.once('data', answer);
      else answer();
      client.resume();
      return;
    }
    const address = { host: this.target.hostname, port: Number(this.target.port || defaultPort) };
    const joint = new Joint(client, address, wire, this.faults);
    this.joints.add(joint);
    if (this.holesNewOnes) joint.hold();
    void joint.ended.then(() => this.joints.delete(joint));
  }
}
