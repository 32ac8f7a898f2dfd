import type { JavaScriptOptions, LiquidOptions } from '@waymark/expressions';
import type { HttpWorkflowsOptions } from '@waymark/http';
import type { WorkflowRuntimeOptions } from '@waymark/runtime';
import type { SchedulingOptions } from '@waymark/scheduling';

/** Everything a host may set; nothing is required. */
export interface WorkflowModuleOptions extends WorkflowRuntimeOptions {
  /** Endpoints of HTTP-triggered workflows. */
  http?: HttpWorkflowsOptions;
  /** Timers. */
  scheduling?: SchedulingOptions;
  /** Limits of JavaScript expressions. */
  javascript?: JavaScriptOptions;
  /** Limits and filters of Liquid templates. */
  liquid?: LiquidOptions;
}
