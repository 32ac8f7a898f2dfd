import type { Constructor } from '@waymark/core';
import { BulkDispatchWorkflows } from './bulk-dispatch-workflows.activity.js';
import { DispatchWorkflow } from './dispatch-workflow.activity.js';
import { Event } from './event.activity.js';
import { ExecuteWorkflow } from './execute-workflow.activity.js';
import { PublishEvent } from './publish-event.activity.js';
import { RunTask } from './run-task.activity.js';
import { UserTask } from '../user-tasks/user-task.activity.js';

/** The built-in activities that need the runtime. */
export const runtimeActivities = [
  Event,
  PublishEvent,
  RunTask,
  UserTask,
  ExecuteWorkflow,
  DispatchWorkflow,
  BulkDispatchWorkflows,
] as const satisfies readonly Constructor[];
