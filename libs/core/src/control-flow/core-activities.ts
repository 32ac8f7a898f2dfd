import type { ActivityRegistry } from '../activities/activity-registry.js';
import type { Constructor } from '../activities/decorators.js';
import { FlowDecision } from '../flowchart/flow-decision.js';
import { FlowFork } from '../flowchart/flow-fork.js';
import { FlowJoin } from '../flowchart/flow-join.js';
import { FlowSwitch } from '../flowchart/flow-switch.js';
import { Flowchart } from '../flowchart/flowchart.js';
import { Break } from './break.js';
import { Complete } from './complete.js';
import { Correlate } from './correlate.js';
import { End } from './end.js';
import { Fault } from './fault.js';
import { Finish } from './finish.js';
import { FlowNode } from './flow-node.js';
import { ForEach } from './for-each.js';
import { For } from './for.js';
import { Fork } from './fork.js';
import { If } from './if.js';
import { Inline } from './inline.js';
import { NotFoundActivity } from './not-found-activity.js';
import { ParallelForEach } from './parallel-for-each.js';
import { Parallel } from './parallel.js';
import { Sequence } from './sequence.js';
import { SetName } from './set-name.js';
import { SetOutput } from './set-output.js';
import { SetVariable } from './set-variable.js';
import { Start } from './start.js';
import { StateMachine } from './state-machine.js';
import { Switch } from './switch.js';
import { While } from './while.js';
import { WorkflowDefinitionActivity } from './workflow-definition-activity.js';
import { Workflow } from './workflow.js';
import { WriteLine } from './write-line.js';
import { ReadLine } from './read-line.js';

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

/** The activities that come with the engine. None of them needs anything injected. */
export const coreActivities: readonly Constructor[] = classes;

export function registerCoreActivities(registry: ActivityRegistry): void {
  for (const activityClass of classes) registry.registerClass(activityClass, new activityClass());
}
