import { Param, Req, Res } from '@nestjs/common';
import { IEventPublisher } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { onlyLooks, RefusesHeadLikeGet } from '../answers/head-requests.js';
import { Audited, textIn } from '../audit/audited.js';
import { noteForAudit } from '../audit/request-audit.js';
import { TokenService } from '../bookmarks/token-service.js';
import { WorkflowResponses } from '../execution/workflow-responses.js';
import { AllowAnonymous } from '../identity/permissions.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromBody, FromQuery } from '../requests/bind.js';
import type { HttpRequest } from '../requests/http-request.js';
import { onlyGiven } from '../requests/only-given.js';
import * as read from '../requests/readers.js';
import { EventLinks } from './event-links.js';

const triggerRequest = read.members({
  workflowInstanceId: read.name,
  correlationId: read.name,
  activityInstanceId: read.name,
  input: read.dictionary,
  idempotencyKey: read.name,
  workflowExecutionMode: read.withDefault(read.oneOf(['Asynchronous', 'Synchronous']), 'Asynchronous'),
});
type TriggerRequest = read.ReadBy<typeof triggerRequest>;

const tokenRequest = read.members({ t: read.name });

/** Publishes events to workflows that wait for them or start with them. There need not be any. */
@ApiController('events')
export class EventsController {
  constructor(
    private readonly events: IEventPublisher,
    private readonly links: EventLinks,
    private readonly tokens: TokenService,
    private readonly responses: WorkflowResponses,
  ) {}

  @Audited('events.trigger', { target: 'event' })
  @AllowAnonymous()
  @RefusesHeadLikeGet()
  @ApiGet('trigger')
  async byToken(
    @FromQuery(tokenRequest) { t }: read.ReadBy<typeof tokenRequest>,
    @Req() request: HttpRequest,
    @Res() response: object,
  ) {
    if (t === undefined) throw InvalidRequestError.at('t', 'Query parameter was not found!');
    const token = this.tokens.readEvent(t);
    if (!token) throw new InvalidRequestError('Invalid token.');
    if (onlyLooks(request)) return this.responses.send(request, response, {});
    const { eventName, workflowInstanceId } = token;
    noteForAudit(request, { actorKind: 'Link', targetIds: [eventName], details: { workflowInstanceId } });
    const transient = this.responses.transientFor(request, response);
    await this.links.follow(eventName, workflowInstanceId, transient);
    await this.responses.send(request, response, {});
  }

  @Audited('events.trigger', {
    target: 'event',
    param: 'eventName',
    note: ({ body }) => ({ details: { workflowInstanceId: textIn(body, 'workflowInstanceId') } }),
  })
  @ApiPost(':eventName/trigger', 'trigger:event')
  async trigger(
    @Param('eventName') eventName: string,
    @FromBody(triggerRequest) { input, workflowExecutionMode, ...rest }: TriggerRequest,
    @Req() request: HttpRequest,
    @Res() response: object,
  ): Promise<void> {
    const target = onlyGiven(rest);
    if (workflowExecutionMode === 'Asynchronous') await this.events.dispatch(eventName, { ...target, payload: input });
    else {
      const transient = this.responses.transientFor(request, response);
      await this.events.publish(eventName, { ...target, payload: input, transient });
    }
    await this.responses.send(request, response, {});
  }
}
