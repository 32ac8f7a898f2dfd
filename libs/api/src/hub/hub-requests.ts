import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RuntimeGate, WorkflowClock } from '@waymark/runtime';
import { whenClosed } from '@waymark/runtime/adapter';
import { InvalidRequestError, ResourceNotFoundError } from '../answers/api-errors.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { openBody } from '../requests/body-claim.js';
import { clientAddress, type HttpReply, type HttpRequest, queryOf, rawReply } from '../requests/http-request.js';
import { readText } from '../requests/request-body.js';
import { type BodyLimit, bodyLimitsOf } from '../requests/body-limits.js';
import { ConnectionTokens } from './connection-tokens.js';
import { HubAccess, type HubCaller } from './hub-access.js';
import { HubConnections } from './hub-connections.js';
import { MOST_MESSAGE_BYTES } from './hub-messages.js';
import { LongPolling } from './long-polling.js';
import type { PollAnswer } from './long-polling-wire.js';

const TRANSPORTS = ['WebSockets', 'LongPolling'].map((transport) => ({ transport, transferFormats: ['Text'] }));

/** The HTTP requests of the hub: negotiation and long polling. */
@Injectable()
export class HubRequests {
  /** For the messages of one POST. */
  private readonly limit: BodyLimit;

  constructor(
    private readonly access: HubAccess,
    private readonly tokens: ConnectionTokens,
    private readonly connections: HubConnections,
    private readonly polling: LongPolling,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
    clock: WorkflowClock,
    gate: RuntimeGate,
  ) {
    const { deadline } = bodyLimitsOf(options, clock, gate).ordinary;
    this.limit = { bytes: 2 * MOST_MESSAGE_BYTES, values: 1_000, deadline };
  }

  /** Answers how to connect. Nothing is stored: the signed token proves that the client has negotiated. */
  negotiate(request: HttpRequest): object {
    const caller = this.callerOf(request);
    this.connections.requireRoom(caller);
    const token = this.tokens.issue(caller.owner);
    const version = Math.min(1, Math.trunc(Number(one(queryOf(request).negotiateversion))) || 0);
    const ids = version === 1 ? { connectionId: randomUUID(), connectionToken: token } : { connectionId: token };
    return { negotiateVersion: Math.max(0, version), ...ids, availableTransports: TRANSPORTS };
  }

  poll(request: HttpRequest, reply: HttpReply): Promise<PollAnswer> {
    const caller = this.callerOf(request);
    const raw = rawReply(reply);
    return this.polling.poll(idOf(request), caller, (left) => {
      whenClosed(raw, left);
      // The client left while guards were at work: no event follows, and the connection would count as polled.
      if (raw.closed) left();
    });
  }

  async receive(request: HttpRequest): Promise<void> {
    const caller = this.callerOf(request);
    const id = idOf(request);
    const endBody = openBody(request);
    try {
      this.polling.receive(id, caller, await readText(request, this.limit));
    } finally {
      endBody();
    }
  }

  end(request: HttpRequest): void {
    const caller = this.callerOf(request);
    this.polling.end(idOf(request), caller);
  }

  private callerOf(request: HttpRequest): HubCaller {
    if (this.options.hub === false) throw new ResourceNotFoundError('hub', 'workflow-instance');
    const { authorization } = request.headers;
    return this.access.callerOf(authorization, one(queryOf(request).access_token), clientAddress(request));
  }
}

function idOf(request: HttpRequest): string {
  const id = one(queryOf(request).id);
  if (!id) throw InvalidRequestError.at('id', "'id' must be the token of a negotiated connection.");
  return id;
}

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
