// The front door: what the guides use is imported from here, and it is all that `.` of these packages promises.
export * from '@waymark/core';
export * from '@waymark/runtime';
export * from '@waymark/expressions';
export * from '@waymark/http';
export * from '@waymark/scheduling';
export { QuietStartLogger } from './logging/quiet-start-logger.js';
export { WaymarkExceptionFilter } from './waymark-exception.filter.js';
export { WorkflowModule } from './workflow.module.js';
export type {
  WorkflowModuleAsyncOptions,
  WorkflowModuleExtras,
  WorkflowModuleOptions,
} from './workflow-module-options.js';
