import { Injectable } from '@nestjs/common';
import { Activity, type ActivityExecutionContext, type ActivityNode, Input, Port } from '@waymark/core';
import { type NodeReader } from '@waymark/core/adapter';
import { HttpRequestActivity } from './http-request-activity.js';
import { RequestSender, type SendResult } from './request-sender.js';

interface StatusCodeCase {
  readonly statusCode: number;
  readonly activity: ActivityNode | undefined;
}

/** Sends an HTTP request and runs the activity for the status of the response. */
@Injectable()
@Activity({
  type: 'Elsa.SendHttpRequest',
  category: 'HTTP',
  displayName: 'HTTP Request',
  description: 'Sends an HTTP request and runs the activity for the status of the response.',
  kind: 'Task',
  customProperties: { Resilient: true, ResilienceCategory: 'HTTP' },
})
export class SendHttpRequest extends HttpRequestActivity {
  @Input({
    type: 'UnregisteredClrType:System.Collections.Generic.ICollection`1[[Elsa.Http.HttpStatusCodeCase, Elsa.Http]], System.Private.CoreLib',
    isWrapped: false,
    uiHint: 'http-status-codes',
    description: 'Activities to run for particular statuses.',
    order: 0,
  })
  override expectedStatusCodes: unknown;

  /** Runs for a status without a port of its own. */
  @Port({ displayName: 'UnmatchedStatusCode' }) unmatchedStatusCode?: ActivityNode;
  /** Runs when the server could not be reached. */
  @Port({ displayName: 'FailedToConnect' }) failedToConnect?: ActivityNode;
  /** Runs when the answer did not arrive in time. */
  @Port({ displayName: 'Timeout' }) timeout?: ActivityNode;

  private readonly cases: readonly StatusCodeCase[];

  constructor(
    /** Sends the request. */
    protected readonly sender: RequestSender,
  ) {
    super();
  }

  static override readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    const listed = Array.isArray(json.expectedStatusCodes) ? (json.expectedStatusCodes as unknown[]) : [];
    const cases = listed.map((item): StatusCodeCase => {
      const { statusCode, activity } =
        typeof item === 'object' && item !== null ? (item as Partial<StatusCodeCase>) : { statusCode: item as number };
      return { statusCode: Number(statusCode), activity: reader.child(activity, String(statusCode)) };
    });
    return { ...super.readNode(json, reader), cases };
  }

  /** Continues with the result of the request; the engine calls it. */
  protected proceed(ctx: ActivityExecutionContext, result: SendResult): unknown {
    return ctx.schedule(this.branch(result), { callback: this.onBranchCompleted });
  }

  private branch(result: SendResult): ActivityNode | undefined {
    if (result.kind === 'failed') return this.failedToConnect;
    if (result.kind === 'timeout') return this.timeout;
    const listed = this.cases.find(({ statusCode }) => statusCode === result.response.status);
    return listed ? listed.activity : this.unmatchedStatusCode;
  }

  /** Called by the engine when a branch has completed. */
  onBranchCompleted(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}
