import { setTimeout } from 'node:timers';

/** The part of a socket that is used. */
export interface LinkSocket {
  destroy(error?: Error): unknown;
  unref?(): unknown;
  once?(event: 'close', listener: () => void): unknown;
}

/** What is known of one connection of a pool. */
export interface Link {
  /** Undefined for drivers that do not show it. */
  readonly socket: LinkSocket | undefined;
  /** The tick of the last answer. */
  answeredAt: number;
  /** The settings of our sessions were sent. */
  isSetUp: boolean;
}

/** The connection did not answer in time. To drivers and to us it is as good as lost. */
export class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The database did not answer in time, so the connection was dropped.');
  }
}

/** The connections of a pool: which are open, and which of them are waited for. */
export class Links {
  private readonly alive = new Map<object, Link>();
  private readonly busy = new Set<Link>();

  get count(): number {
    return this.alive.size;
  }

  /** Keeps the connection in mind until it is closed. @param connection of the driver @param now the present tick */
  of(connection: object, socket: LinkSocket | undefined, now: number): Link {
    let link = this.alive.get(connection);
    if (!link) {
      link = newLink(socket, now);
      this.alive.set(connection, link);
      socket?.once?.('close', () => this.alive.delete(connection));
    }
    return link;
  }

  begin(link: Link): void {
    this.busy.add(link);
  }

  end(link: Link, now: number): void {
    link.answeredAt = now;
    this.busy.delete(link);
  }

  /**
   * Drops what rests and has not answered since a statement began that was never answered: whatever swallowed the one has
   * mostly swallowed the others, and finding that out one by one would cost as many deadlines.
   */
  dropQuiet(since: number): void {
    for (const link of this.alive.values())
      if (!this.busy.has(link) && link.answeredAt <= since) link.socket?.destroy(new SilentConnection());
  }

  /** Drops those with a statement under way. */
  dropBusy(): void {
    for (const { socket } of this.busy) socket?.destroy(new SilentConnection());
  }

  /** After the goodbye was sent: a server that does not answer it keeps neither the process nor the socket. */
  forget(graceMs: number): void {
    const left = [...this.alive.values()];
    this.alive.clear();
    for (const { socket } of left) socket?.unref?.();
    setTimeout(() => left.forEach(({ socket }) => socket?.destroy()), graceMs).unref();
  }
}

export function newLink(socket: LinkSocket | undefined, now: number): Link {
  return { socket, answeredAt: now, isSetUp: false };
}
