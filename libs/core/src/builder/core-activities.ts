import type { ActivityRegistry } from '../activities/activity-registry.js';
import { FlowDecision } from '../flowchart/flow-decision.js';
import { FlowFork } from '../flowchart/flow-fork.js';
import { FlowJoin } from '../flowchart/flow-join.js';
import { FlowSwitch } from '../flowchart/flow-switch.js';
import { Flowchart } from '../flowchart/flowchart.js';
import { Break } from '../control-flow/break.js';
import { Compensable } from '../control-flow/compensable.js';
import { Compensate, Confirm } from '../control-flow/compensate.js';
import { Timeout } from '../control-flow/timeout.js';
import { Try } from '../control-flow/try.js';
import { Complete } from '../control-flow/complete.js';
import { Correlate } from '../control-flow/correlate.js';
import { End } from '../control-flow/end.js';
import { Fault } from '../control-flow/fault.js';
import { Finish } from '../control-flow/finish.js';
import { FlowNode } from '../control-flow/flow-node.js';
import { ForEach } from '../control-flow/for-each.js';
import { For } from '../control-flow/for.js';
import { Fork } from '../control-flow/fork.js';
import { If } from '../control-flow/if.js';
import { Inline } from '../control-flow/inline.js';
import { NotFoundActivity } from '../control-flow/not-found-activity.js';
import { ParallelForEach } from '../control-flow/parallel-for-each.js';
import { Parallel } from '../control-flow/parallel.js';
import { Sequence } from '../control-flow/sequence.js';
import { SetName } from '../control-flow/set-name.js';
import { SetOutput } from '../control-flow/set-output.js';
import { SetVariable } from '../control-flow/set-variable.js';
import { Start } from '../control-flow/start.js';
import { StateMachine } from '../control-flow/state-machine.js';
import { Switch } from '../control-flow/switch.js';
import { While } from '../control-flow/while.js';
import { WorkflowDefinitionActivity } from '../control-flow/workflow-definition-activity.js';
import { Workflow } from '../control-flow/workflow.js';
import { WriteLine } from '../control-flow/write-line.js';
import { ReadLine } from '../control-flow/read-line.js';

const classes = [
  Workflow,
  WorkflowDefinitionActivity,
  NotFoundActivity,
  Flowchart,
  FlowDecision,
  FlowSwitch,
  FlowFork,
  FlowJoin,
  FlowNode,
  Start,
  End,
  Sequence,
  Parallel,
  Fork,
  If,
  Switch,
  For,
  ForEach,
  ParallelForEach,
  While,
  Break,
  StateMachine,
  Try,
  Timeout,
  Compensable,
  Compensate,
  Confirm,
  Complete,
  Finish,
  Fault,
  SetVariable,
  SetName,
  SetOutput,
  Correlate,
  WriteLine,
  ReadLine,
  Inline,
] as const;

/** Registers the activities that come with the engine. None of them needs anything injected. */
export function registerCoreActivities(registry: ActivityRegistry): void {
  for (const activityClass of classes) registry.registerClass(activityClass, new activityClass());
}
