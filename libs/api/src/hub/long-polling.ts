import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { ConnectionTokens } from './connection-tokens.js';
import type { HubCaller } from './hub-access.js';
import type { HubConnection } from './hub-connection.js';
import { HubConnections } from './hub-connections.js';
import { LongPollingWire, type PollAnswer } from './long-polling-wire.js';

interface Polling {
  readonly wire: LongPollingWire;
  readonly connection: HubConnection;
}

/** Connections of clients that cannot use WebSockets: each request names its connection by the token of the negotiation. */
@Injectable()
export class LongPolling {
  private readonly known = new Map<string, Polling>();

  constructor(
    private readonly connections: HubConnections,
    private readonly tokens: ConnectionTokens,
    private readonly clock: WorkflowClock,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  /**
   * Waits for the next messages. The first poll opens the connection.
   * @param onLeave registers what to call when the client disconnects
   * @throws ResourceNotFoundError, TooManyConnectionsError
   */
  poll(token: string, caller: HubCaller, onLeave: (left: () => void) => void): Promise<PollAnswer> {
    const { wire } = this.find(token, caller) ?? this.open(token, caller);
    return wire.poll(onLeave);
  }

  /** @throws ResourceNotFoundError */
  receive(token: string, caller: HubCaller, text: string): void {
    this.require(token, caller).connection.receive(text);
  }

  /** @throws ResourceNotFoundError */
  end(token: string, caller: HubCaller): void {
    this.require(token, caller).wire.cut();
  }

  private open(token: string, caller: HubCaller): Polling {
    if (!this.tokens.isValid(token, caller.owner)) throw new ResourceNotFoundError('connection', token);
    this.connections.requireRoom(caller);
    const wire = new LongPollingWire(this.options.liveBufferBytes, this.clock, () => {
      this.known.delete(token);
      this.connections.remove(connection);
    });
    const connection = this.connections.open(caller, wire);
    this.known.set(token, { wire, connection });
    return { wire, connection };
  }

  private require(token: string, caller: HubCaller): Polling {
    const found = this.find(token, caller);
    if (!found) throw new ResourceNotFoundError('connection', token);
    return found;
  }

  private find(token: string, { owner }: HubCaller): Polling | undefined {
    const found = this.known.get(token);
    return found?.connection.caller.owner === owner ? found : undefined;
  }
}
