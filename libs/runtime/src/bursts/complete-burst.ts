import type { WorkflowGraph, WorkflowState } from '@waymark/core';
import type { BurstRequest } from '@waymark/core/adapter';
import type { CreateInstanceRequest, RunInstanceRequest } from '../services/instance-services.js';
import { withActivationKey } from './retaken-keys.js';

/** Every member is there, so that all bursts have one shape, and a member that the engine gains cannot be forgotten here. */
export type CompleteBurst = { readonly [K in keyof Required<BurstRequest>]: BurstRequest[K] };
/** While it is being made. */
type NewBurst = { -readonly [K in keyof CompleteBurst]: CompleteBurst[K] };

/** What the host learns of a burst, and where it may store it half-way. */
export type BurstHooks = Required<Pick<BurstRequest, 'onBegin' | 'onCheckpoint'>> & {
  readonly commits: BurstRequest['commits'];
};

const NO_RUN: RunInstanceRequest = {};

/** The first burst of a new instance. @param input in place of that of both requests */
export function firstBurst(
  instanceId: string,
  graph: WorkflowGraph,
  request: CreateInstanceRequest,
  run: RunInstanceRequest = NO_RUN,
  input?: Readonly<Record<string, unknown>>,
): CompleteBurst {
  const burst = burstOf(instanceId, graph, run);
  burst.correlationId = request.correlationId;
  burst.name = request.name;
  burst.parentWorkflowInstanceId = request.parentWorkflowInstanceId;
  burst.input = input ?? joined(request.input, run.input);
  burst.properties = withActivationKey(joined(request.properties, run.properties), request.activationKey);
  return burst;
}

/** A further burst. @param attempt how often it was begun @param cause see `BurstRequest` */
export function nextBurst(
  instanceId: string,
  graph: WorkflowGraph,
  run: RunInstanceRequest,
  state: WorkflowState,
  attempt: number,
  cause?: string,
): CompleteBurst {
  const burst = burstOf(instanceId, graph, run);
  burst.cause = cause;
  burst.state = state;
  burst.attempt = attempt;
  return burst;
}

/** The same burst with hooks. Member by member: a spread of it costs each start more than the hooks do. */
export function withHooks(burst: CompleteBurst, hooks: BurstHooks): CompleteBurst {
  return {
    graph: burst.graph,
    instanceId: burst.instanceId,
    state: burst.state,
    correlationId: burst.correlationId,
    name: burst.name,
    parentWorkflowInstanceId: burst.parentWorkflowInstanceId,
    input: burst.input,
    properties: burst.properties,
    variables: burst.variables,
    bookmarkId: burst.bookmarkId,
    activityHandle: burst.activityHandle,
    cause: burst.cause,
    isChange: burst.isChange,
    triggerActivityId: burst.triggerActivityId,
    schedulingActivityExecutionId: burst.schedulingActivityExecutionId,
    schedulingWorkflowInstanceId: burst.schedulingWorkflowInstanceId,
    callStackDepth: burst.callStackDepth,
    attempt: burst.attempt,
    keepsUnreadable: burst.keepsUnreadable,
    signal: burst.signal,
    transient: burst.transient,
    onBegin: hooks.onBegin,
    onCheckpoint: hooks.onCheckpoint,
    checkpointEvery: burst.checkpointEvery,
    commits: hooks.commits,
  };
}

function burstOf(instanceId: string, graph: WorkflowGraph, run: RunInstanceRequest): NewBurst {
  return {
    graph,
    instanceId,
    state: undefined,
    correlationId: undefined,
    name: undefined,
    parentWorkflowInstanceId: undefined,
    input: run.input,
    properties: run.properties,
    variables: run.variables,
    bookmarkId: run.bookmarkId,
    activityHandle: run.activityHandle,
    cause: undefined,
    isChange: undefined,
    triggerActivityId: run.triggerActivityId,
    schedulingActivityExecutionId: run.schedulingActivityExecutionId,
    schedulingWorkflowInstanceId: run.schedulingWorkflowInstanceId,
    callStackDepth: run.callStackDepth,
    attempt: undefined,
    keepsUnreadable: undefined,
    signal: run.signal,
    transient: run.transient,
    onBegin: undefined,
    onCheckpoint: undefined,
    checkpointEvery: undefined,
    commits: undefined,
  };
}

/** A caller that creates and runs at once gives one request as both. */
function joined(
  created: Readonly<Record<string, unknown>> | undefined,
  run: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  return created === run || !run ? created : { ...created, ...run };
}
