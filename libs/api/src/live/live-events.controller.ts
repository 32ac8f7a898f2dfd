import { Readable } from 'node:stream';
import { Inject, Req, Res, StreamableFile } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { whenClosed } from '@waymark/runtime/adapter';
import { onlyLooks } from '../answers/head-requests.js';
import { hasPermission, principalOf } from '../identity/api-auth.guard.js';
import { ownerOf } from '../identity/owner-of.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { READ_OPERATIONS } from '../operations/operations.controller.js';
import { FromQuery } from '../requests/bind.js';
import { clientAddress, type HttpReply, type HttpRequest, rawReply } from '../requests/http-request.js';
import type * as read from '../requests/readers.js';
import type { LiveTopic } from './live-events.js';
import { LiveFeed } from './live-feed.js';
import { streamRequest, toFilter } from './live-requests.js';

const READ_INSTANCES = ['read:workflow-instances'] as const;
const READ_DEFINITIONS = ['read:workflow-definitions', 'read:*'] as const;

/** Server-sent events about instances, definitions and operations. */
@ApiController('events')
export class LiveEventsController {
  constructor(
    private readonly feed: LiveFeed,
    private readonly clock: WorkflowClock,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  @ApiGet('stream', ...READ_INSTANCES, ...READ_DEFINITIONS, ...READ_OPERATIONS)
  async stream(
    @FromQuery(streamRequest) query: read.ReadBy<typeof streamRequest>,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpReply,
  ): Promise<StreamableFile> {
    const filter = toFilter(query, topicsOf(request));
    // On Express, the answer would end with the stream, and the connection would take no further request until then.
    if (onlyLooks(request)) return streamed(Readable.from([]), response);
    const raw = rawReply(response);
    const owner = ownerOf(principalOf(request), clientAddress(request));
    const after = lastEventIdOf(request) ?? query.lastEventId;
    const client = await this.feed.connect(filter, owner, after, this.until(request));
    client.once('close', () => {
      // A regular end would tell the client that it has received everything.
      if (client.wasCut) raw.destroy();
    });
    whenClosed(raw, () => client.destroy());
    if (raw.closed) client.destroy();
    return streamed(client, response);
  }

  /** No longer than its token is valid, or as long as one would be: then the client shows its credentials again. */
  private until(request: HttpRequest): number | undefined {
    const { authentication } = this.options;
    if (!authentication) return undefined;
    return principalOf(request)?.expiresAt ?? this.clock.now() + authentication.accessTokenLifetimeMs;
  }
}

function streamed(events: Readable, response: HttpReply): StreamableFile {
  response.header('Cache-Control', 'no-cache, no-transform');
  // nginx would buffer events.
  response.header('X-Accel-Buffering', 'no');
  return new StreamableFile(events, { type: 'text/event-stream; charset=utf-8' });
}

function topicsOf(request: HttpRequest): LiveTopic[] {
  const topics: LiveTopic[] = [];
  if (hasPermission(request, ...READ_INSTANCES)) topics.push('instances');
  if (hasPermission(request, ...READ_DEFINITIONS)) topics.push('definitions');
  if (hasPermission(request, ...READ_OPERATIONS)) topics.push('operations');
  return topics;
}

const lastEventIdOf = ({ headers }: HttpRequest): string | undefined => {
  const id = headers['last-event-id'];
  return typeof id === 'string' ? id : undefined;
};
