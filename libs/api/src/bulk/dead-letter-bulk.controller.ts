import { Res } from '@nestjs/common';
import type { MessageSelection, PlanRequester, StimulusSelection } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { fittingNamed } from '../instances/instance-filters.js';
import { Audited } from '../audit/audited.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import type { HttpReply } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import { BulkAnswers, distinctIds } from './bulk-answers.js';
import { bulkNote } from './bulk-note.js';
import { RequestedBy } from './requested-by.js';

const common = {
  ids: read.list(read.name),
  definitionId: read.name,
  definitionIds: read.names,
  errorCode: read.name,
  /** Without any condition nothing is selected, unless this says otherwise. */
  all: read.withDefault(read.flag, false),
};
const messageRequest = read.members({
  ...common,
  kind: read.name,
  createdBefore: read.date,
  createdAfter: read.date,
});
type MessageRequest = read.ReadBy<typeof messageRequest>;
const stimulusRequest = read.members({
  ...common,
  name: read.name,
  workflowInstanceId: read.name,
  reason: read.oneOf(['Failed', 'Expired']),
  deadLetteredBefore: read.date,
  deadLetteredAfter: read.date,
});
type StimulusRequest = read.ReadBy<typeof stimulusRequest>;

/** Replays and deletes many dead letters. Not in the reference. */
@ApiController('bulk-actions')
export class DeadLetterBulkController {
  constructor(private readonly bulk: BulkAnswers) {}

  @Audited('outbox.dead-letters.replay', { target: 'outbox-dead-letter', note: bulkNote('ids') })
  @ApiPost('replay/outbox/dead-letters', 'replay:outbox:dead-letters')
  replayMessages(
    @FromBody(messageRequest) request: MessageRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.bulk.run('replayed', { action: 'ReplayMessages', filters: selectionOf(request) }, by, reply);
  }

  @Audited('outbox.dead-letters.delete', { target: 'outbox-dead-letter', note: bulkNote('ids') })
  @ApiPost('delete/outbox/dead-letters', 'delete:outbox:dead-letters')
  deleteMessages(
    @FromBody(messageRequest) request: MessageRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.bulk.run('deleted', { action: 'DeleteMessages', filters: selectionOf(request) }, by, reply);
  }

  @Audited('bookmark-queue.dead-letters.replay', { target: 'bookmark-queue-dead-letter', note: bulkNote('ids') })
  @ApiPost('replay/bookmark-queue/dead-letters', 'replay:bookmark-queue:dead-letters')
  replayStimuli(
    @FromBody(stimulusRequest) request: StimulusRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.bulk.run('replayed', { action: 'ReplayStimuli', filters: selectionOf(request) }, by, reply);
  }

  @Audited('bookmark-queue.dead-letters.delete', { target: 'bookmark-queue-dead-letter', note: bulkNote('ids') })
  @ApiPost('delete/bookmark-queue/dead-letters', 'delete:bookmark-queue:dead-letters')
  deleteStimuli(
    @FromBody(stimulusRequest) request: StimulusRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.bulk.run('deleted', { action: 'DeleteStimuli', filters: selectionOf(request) }, by, reply);
  }
}

/** None where a list names nothing: a caller whose list came out empty must not get everything else. */
function selectionOf(request: MessageRequest): MessageSelection[];
function selectionOf(request: StimulusRequest): StimulusSelection[];
function selectionOf(request: MessageRequest | StimulusRequest): (MessageSelection | StimulusSelection)[] {
  const { all, ids, definitionId, definitionIds, ...conditions } = request;
  const given = { ...conditions, ids: distinctIds(ids), definitionIds: fittingNamed(definitionId, definitionIds) };
  const selection = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (!all && Object.keys(selection).length === 0)
    throw InvalidRequestError.at('all', "Select dead letters by a condition, or all of them with 'all': true.");
  return given.ids?.length === 0 || given.definitionIds?.length === 0 ? [] : [selection];
}
