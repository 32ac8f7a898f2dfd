import type { ConfigurableModuleAsyncOptions } from '@nestjs/common';
import type { JavaScriptOptions, LiquidOptions } from '@waymark/expressions';
import type { HttpWorkflowsExtras, HttpWorkflowsOptions } from '@waymark/http';
import type { WorkflowRuntimeOptions } from '@waymark/runtime';
import type { SchedulingOptions } from '@waymark/scheduling';

/** What `WorkflowModule.forRoot` takes: docs/options.md has all options in one table. Nothing is required. */
export interface WorkflowModuleOptions extends WorkflowRuntimeOptions {
  /** Endpoints of HTTP-triggered workflows, and outgoing requests. @default those of `HttpWorkflowsOptions` */
  http?: HttpWorkflowsOptions;
  /** Timers, cron triggers and schedules. @default those of `SchedulingOptions` */
  scheduling?: SchedulingOptions;
  /** Limits and functions of JavaScript expressions. @default those of `JavaScriptOptions` */
  javascript?: JavaScriptOptions;
  /** Limits and filters of Liquid templates. @default those of `LiquidOptions` */
  liquid?: LiquidOptions;
}

/** What is replaced as a class, and so has to be known when the module is declared. */
export type WorkflowModuleExtras = HttpWorkflowsExtras;

/** What `WorkflowModule.forRootAsync` takes: how the options are made, and what Nest has to know before that. */
export interface WorkflowModuleAsyncOptions
  extends ConfigurableModuleAsyncOptions<WorkflowModuleOptions>, WorkflowModuleExtras {
  /**
   * Where everything is kept, beside the factory: a provider such as `TypeOrmPersistence.fromDataSource()` takes the data
   * source of the application. The factory may return a persistence instead, but not a provider.
   * @default what the factory returns; in memory without that
   */
  persistence?: WorkflowRuntimeOptions['persistence'];
}
