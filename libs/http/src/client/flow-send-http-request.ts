import { Injectable } from '@nestjs/common';
import { Activity, type ActivityExecutionContext, Input } from '@waymark/core';
import { DONE } from '@waymark/core/adapter';
import { HttpRequestActivity } from './http-request-activity.js';
import { RequestSender, type SendResult } from './request-sender.js';

/** Sends an HTTP request and leaves by the outcome for the status of the response. */
@Injectable()
@Activity({
  type: 'Elsa.FlowSendHttpRequest',
  category: 'HTTP',
  displayName: 'HTTP Request (flow)',
  description: 'Sends an HTTP request and leaves by the outcome for the status of the response.',
  kind: 'Task',
  customProperties: { Resilient: true, ResilienceCategory: 'HTTP' },
})
export class FlowSendHttpRequest extends HttpRequestActivity {
  @Input({
    type: 'List<Int32>',
    defaultValue: [200],
    uiHint: 'multitext',
    description: 'Status codes that have their own outcome.',
    order: 5.1,
  })
  override expectedStatusCodes: readonly number[] | null;

  constructor(
    /** Sends the request. */
    protected readonly sender: RequestSender,
  ) {
    super();
  }

  /** Continues with the result of the request; the engine calls it. */
  protected proceed(ctx: ActivityExecutionContext, result: SendResult): unknown {
    return ctx.completeWithOutcomes(...outcomesOf(result, this.expectedStatusCodes ?? []));
  }
}

/** Outcomes for a result; an empty list of statuses leaves only `Done`. */
export function outcomesOf(result: SendResult, expected: readonly number[]): string[] {
  if (result.kind === 'failed') return ['Failed to connect'];
  if (result.kind === 'timeout') return ['Timeout'];
  if (expected.length === 0) return [DONE];
  const { status } = result.response;
  return [expected.some((code) => Number(code) === status) ? String(status) : 'Unmatched status code', DONE];
}
