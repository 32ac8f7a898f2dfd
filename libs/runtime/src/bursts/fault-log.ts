import { Injectable } from '@nestjs/common';
import type { ActivityIncident, ExceptionState, WorkflowExecutionContext } from '@waymark/core';
import type { FailedAttempt } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { LineLimit } from '../logging/line-limit.js';
import { type LineSubject, WorkflowLogger } from '../logging/workflow-logger.js';
import { INLINE_BURST } from './messages.js';

/** Lines of one kind about one activity of one version, within a minute. */
const LINES = 10;

type Fault = Pick<ActivityIncident, 'activityNodeId' | 'activityType' | 'message' | 'exception'>;

/**
 * Transient token of a burst: whether the answer to its request reports a fault, as a mistake of the client. What any client can
 * cause must not wake up the operators of the application.
 */
export const REPORTED_FAULTS: unique symbol = Symbol.for('@waymark/runtime:reported-faults');

/** Returns true if the client receives a fault as its own mistake. */
export type ReportsFault = (exception: ExceptionState) => boolean;

/**
 * Says in the log which activities faulted, with the place in the workflow, and which failed runs are repeated. It is called
 * when that is stored. An activity that faults in thousands of instances has ten lines a minute, and the tenth says so. Lines of
 * other workflows with the same words are counted apart: a flood of them must not hide where else something began to fail.
 */
@Injectable()
export class FaultLog {
  private readonly logger = new WorkflowLogger('Workflow');
  private readonly limit = new LineLimit(LINES, () => this.clock.now());

  constructor(private readonly clock: WorkflowClock) {}

  faulted(wec: WorkflowExecutionContext, fault: Fault): void {
    const { activityNodeId, activityType, message, exception } = fault;
    if (isReported(wec, fault)) return this.reported(wec, fault);
    const { more, isLast, isOver } = this.counted('faults', wec, activityNodeId);
    if (isOver) return;
    const place = placeOf(wec, activityNodeId, activityType);
    const text = `Activity ${place} faulted: ${coded(message, exception)}${causesOf(exception)}${more}${isLast}`;
    const stack = stackOf(exception);
    this.logger.errorAbout(subjectOf(wec, activityNodeId), text, ...(stack ? [stack] : []));
  }

  willRetry(wec: WorkflowExecutionContext, { node, attempt, maxAttempts, nextAt, reason }: FailedAttempt): void {
    const { more, isLast, isOver } = this.counted('failed attempts', wec, node.nodeId);
    if (isOver) return;
    const place = placeOf(wec, node.nodeId, node.type);
    this.logger.warnAbout(
      subjectOf(wec, node.nodeId),
      `Attempt ${attempt} of ${maxAttempts} of activity ${place} failed; the next one is at ${nextAt.toISOString()}. ` +
        `${reason}${more}${isLast}`,
    );
  }

  private reported(wec: WorkflowExecutionContext, { activityNodeId, activityType, message, exception }: Fault): void {
    const { more, isLast, isOver } = this.counted('invalid requests', wec, activityNodeId);
    if (isOver) return;
    const place = placeOf(wec, activityNodeId, activityType);
    this.logger.debug(
      `Activity ${place} faulted, and the answer to the request says why: ` +
        `${coded(message, exception)}${causesOf(exception)}${more}${isLast}`,
    );
  }

  private counted(kind: string, { graph }: WorkflowExecutionContext, nodeId: string) {
    const { definitionId, version } = graph.definition;
    const key = JSON.stringify([kind, definitionId, version, nodeId]);
    const { isOver, isLast, unlogged, endsAt } = this.limit.count(key);
    return {
      isOver,
      more: unlogged > 0 ? ` (${unlogged} ${kind} of this activity were not logged before.)` : '',
      isLast: isLast
        ? ` (Further ${kind} of this activity are not logged until ${new Date(endsAt).toISOString()}.)`
        : '',
    };
  }
}

/** A workflow that another one runs within its burst has the same request, but not its answer. */
function isReported({ transient }: WorkflowExecutionContext, { exception }: Fault): boolean {
  const reports = transient.get(REPORTED_FAULTS) as ReportsFault | undefined;
  return exception !== undefined && reports !== undefined && !transient.has(INLINE_BURST) && reports(exception);
}

const subjectOf = ({ graph }: WorkflowExecutionContext, nodeId: string): LineSubject => ({
  owner: graph.definition.definitionId,
  part: nodeId,
});

function placeOf({ id, graph }: WorkflowExecutionContext, nodeId: string, type: string): string {
  const { definitionId, version } = graph.definition;
  const name = graph.findByNodeId(nodeId)?.name;
  const named = name === undefined || name === '' ? '' : `"${name}", `;
  return `"${nodeId}" (${named}${type}) of workflow "${definitionId}" (version ${version}), instance "${id}",`;
}

/** The code is what alerts and the pages of errors go by. Messages of Waymark do not have it, those of the system often do. */
function coded(message: string, exception: ExceptionState | undefined): string {
  const code = exception?.metadata?.code;
  return typeof code === 'string' && code !== '' && !message.includes(code) ? `${code}: ${message}` : message;
}

/** The chain of causes: the message of a wrapper alone says little. One that repeats the message of its cause says it already. */
function causesOf(exception: ExceptionState | undefined): string {
  const causes: string[] = [];
  for (
    let error = exception, cause = error?.innerException;
    error && cause;
    error = cause, cause = error.innerException
  )
    causes.push(
      error.message.includes(cause.message) ? '' : ` Caused by ${cause.type}: ${coded(cause.message, cause)}`,
    );
  return causes.join('');
}

/** Of an error that Waymark puts around that of the application, the engine is on the stack: the code that failed is on the other's. */
function stackOf(exception: ExceptionState | undefined): string | undefined {
  let error = exception;
  while (error?.innerException && /^WM\d{4}$/.test(String(error.metadata?.code))) error = error.innerException;
  return error?.stackTrace ?? exception?.stackTrace;
}
