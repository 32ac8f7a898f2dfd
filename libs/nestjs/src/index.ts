export { WorkflowModule } from './workflow.module.js';
export type { WorkflowModuleExtras } from './workflow.module.js';
export type { WorkflowModuleOptions } from './workflow-module-options.js';
export {
  Activity,
  ActivityBase,
  ActivityExecutionContext,
  ActivityMethod,
  ActivityNode,
  Children,
  CompositeBase,
  FaultError,
  Input,
  isWaymarkError,
  Output,
  Port,
  Trigger,
  TriggerBase,
  WaymarkError,
  WorkflowDefinitionBuilder,
} from '@waymark/core';
export type {
  Bookmark,
  BookmarkOptions,
  ScheduleOptions,
  Steps,
  WorkflowDefinition,
  WorkflowState,
} from '@waymark/core';
export {
  activity,
  complete,
  correlate,
  fault,
  finish,
  flowchart,
  ifElse,
  inline,
  js,
  liquid,
  sequence,
  setName,
  setOutput,
  setVariable,
  trigger,
  writeLine,
} from '@waymark/core';
export {
  IBookmarkQueue,
  IBookmarkResumer,
  IEventPublisher,
  IStimulusDispatcher,
  IStimulusSender,
  ITaskReporter,
  ITriggerIndexer,
  IWorkflowCancellationService,
  IWorkflowClient,
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  IWorkflowStarter,
  IWorkflowTransactions,
  MemoryPersistence,
  TriggerIndexer,
  Workflow,
  WorkflowClock,
  WorkflowEngine,
  WorkflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
export type { RunInstanceResult, TransactionalWorkflows, WorkflowBuilder } from '@waymark/runtime';
export { UpdateRouteTable } from '@waymark/http';
export { ScheduleWorkflows } from '@waymark/scheduling';
