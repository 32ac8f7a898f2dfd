import { Res } from '@nestjs/common';
import type { TriggerBase } from '@waymark/core';
import { IStimulusDispatcher, IStimulusSender, type RunInstanceResult, WorkflowEngine } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { Audited, type AuditedRequest, type AuditNote, textIn } from '../audit/audited.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import type { HttpReply } from '../requests/http-request.js';
import { onlyGiven } from '../requests/only-given.js';
import * as read from '../requests/readers.js';

const stimulusRequest = read.members({
  name: read.required(read.name),
  stimulus: read.anything,
  workflowInstanceId: read.name,
  correlationId: read.name,
  activityInstanceId: read.name,
  bookmarkId: read.name,
  input: read.dictionary,
  idempotencyKey: read.name,
  workflowExecutionMode: read.withDefault(read.oneOf(['Asynchronous', 'Synchronous']), 'Synchronous'),
});
type StimulusRequest = read.ReadBy<typeof stimulusRequest>;

/** Sends stimuli by their names and values, as code does by `IStimulusSender`. The reference has no such route. */
@ApiController('stimuli')
export class StimuliController {
  constructor(
    private readonly sender: IStimulusSender,
    private readonly dispatcher: IStimulusDispatcher,
    private readonly engine: WorkflowEngine,
  ) {}

  @Audited('stimuli.send', { target: 'stimulus', note: stimulusSent })
  @ApiPost('', 'send:stimuli')
  async send(
    @FromBody(stimulusRequest) { name, stimulus, workflowExecutionMode, ...rest }: StimulusRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    this.requireStimulusOf(name, stimulus);
    const metadata = onlyGiven(rest);
    if (workflowExecutionMode === 'Asynchronous') {
      await this.dispatcher.dispatch(name, stimulus, metadata);
      reply.status(202);
      return undefined;
    }
    const { started, resumed, handedOver, refused, queuedItemId } = await this.sender.send(name, stimulus, metadata);
    return { started: started.map(instanceOf), resumed: resumed.map(instanceOf), handedOver, refused, queuedItemId };
  }

  /** Triggers may match by a part of the value. Code gives them their own types, a request gives them anything. */
  private requireStimulusOf(name: string, stimulus: unknown): void {
    const trigger = this.engine.activities.find(name)?.provider as Partial<TriggerBase> | undefined;
    try {
      trigger?.getHashInput?.(stimulus);
    } catch (error) {
      throw new InvalidRequestError(
        {
          stimulus: [
            `'stimulus' cannot be matched with '${name}'. Send the value with which its trigger or bookmark was created.`,
          ],
        },
        { cause: error },
      );
    }
  }
}

const instanceOf = ({ workflowInstanceId, status, subStatus }: RunInstanceResult) => ({
  workflowInstanceId,
  status,
  subStatus,
});

/** Its name, and whom it is for: never its value. */
function stimulusSent({ body, answer }: AuditedRequest): AuditNote {
  const name = textIn(body, 'name');
  return {
    targetIds: name === undefined ? [] : [name],
    details: {
      workflowInstanceId: textIn(body, 'workflowInstanceId'),
      started: Array.isArray(answer.started) ? answer.started.length : undefined,
      resumed: Array.isArray(answer.resumed) ? answer.resumed.length : undefined,
    },
  };
}
