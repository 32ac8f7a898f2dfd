import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { type WebSocket, WebSocketServer } from 'ws';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { answerOf, UNEXPECTED } from '../answers/error-answer.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { ApiPath } from '../requests/api-path.js';
import { ConnectionTokens } from './connection-tokens.js';
import { HubAccess, type HubCaller } from './hub-access.js';
import { HubConnections } from './hub-connections.js';
import { MOST_MESSAGE_BYTES } from './hub-messages.js';
import { upgradeAddress } from './upgrade-address.js';
import { refuseUpgrade, takeUpgrades } from './upgrades.js';
import { WebSocketWire } from './web-socket-wire.js';

/** Of one message. Clients send each as a whole. */
const MOST_FRAGMENTS = 64;

/** Connections to the hub over WebSockets, on the HTTP server of the application. */
@Injectable()
export class HubWebSockets implements OnApplicationBootstrap {
  private readonly logger = new WorkflowLogger('WorkflowApi');
  // No compression: messages are short, and the size of what they inflate to would need a limit of its own.
  private readonly sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_MESSAGE_BYTES,
    // Fragments may be empty, and then count towards no size.
    maxFragments: MOST_FRAGMENTS,
    // Of a client that pings and reads nothing, all answers would stay in memory.
    autoPong: false,
  });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly path: ApiPath,
    private readonly access: HubAccess,
    private readonly tokens: ConnectionTokens,
    private readonly connections: HubConnections,
    private readonly clock: WorkflowClock,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.options.hub || !this.host.httpAdapter?.getType?.()) return;
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const isHub = this.path.hubMatcher();
    takeUpgrades(server, isHub, (request, socket, head) => this.take(request, socket, head));
  }

  private take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node has removed its own listener: an error without one would end the process.
    socket.on('error', () => socket.destroy());
    try {
      const caller = this.callerOf(request);
      this.connections.requireRoom(caller);
      this.sockets.handleUpgrade(request, socket, head, (webSocket) => this.open(webSocket, socket, caller));
    } catch (error) {
      const known = answerOf(error);
      if (!known) this.logger.error(`The hub failed: ${toErrorLike(error).message}`, toErrorLike(error).stack);
      refuseUpgrade(socket, known ?? UNEXPECTED);
    }
  }

  private callerOf(request: IncomingMessage): HubCaller {
    const { url = '', headers } = request;
    const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
    const token = query.get('access_token') ?? undefined;
    const caller = this.access.callerOf(headers.authorization, token, upgradeAddress(this.host.httpAdapter, request));
    // Upgrades pass no guard of the application, and pages of any origin can open WebSockets. Negotiations pass them: require one.
    const id = query.get('id') ?? '';
    if (this.access.isOpen && !this.tokens.isValid(id, caller.owner)) throw new ResourceNotFoundError('connection', id);
    return caller;
  }

  private open(socket: WebSocket, stream: Duplex, caller: HubCaller): void {
    const wire = new WebSocketWire(socket, stream, this.options.liveBufferBytes, this.clock);
    const connection = this.connections.open(caller, wire);
    socket.on('ping', (data: Buffer) => {
      if (connection.countFrame()) wire.pong(data);
    });
    socket.on('pong', () => connection.countFrame());
    socket.on('message', (data) => connection.receive((data as Buffer).toString('utf8')));
    // Malformed frames; `ws` sends the close frame with the reason.
    socket.on('error', () => connection.lost());
    socket.on('close', () => this.connections.remove(connection));
  }
}
