import type { BurstRequest, WorkflowGraph, WorkflowState } from '@waymark/core';
import type { CreateInstanceRequest, RunInstanceRequest } from '../services/instance-services.js';

/** Every member is there, so that all bursts have one shape, and a member that the engine gains cannot be forgotten here. */
export type CompleteBurst = { -readonly [K in keyof Required<BurstRequest>]: BurstRequest[K] };

const NO_RUN: RunInstanceRequest = {};

/** The first burst of a new instance. */
export function firstBurst(
  instanceId: string,
  graph: WorkflowGraph,
  request: CreateInstanceRequest,
  run: RunInstanceRequest = NO_RUN,
): CompleteBurst {
  const burst = burstOf(instanceId, graph, run);
  burst.correlationId = request.correlationId;
  burst.name = request.name;
  burst.parentWorkflowInstanceId = request.parentWorkflowInstanceId;
  burst.input = joined(request.input, run.input);
  burst.properties = joined(request.properties, run.properties);
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

function burstOf(instanceId: string, graph: WorkflowGraph, run: RunInstanceRequest): CompleteBurst {
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

/** Whoever creates and runs at once gives one request as both. */
function joined(
  created: Readonly<Record<string, unknown>> | undefined,
  run: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  return created === run || !run ? created : { ...created, ...run };
}
