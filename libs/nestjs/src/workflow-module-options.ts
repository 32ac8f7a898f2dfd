import type { ConfigurableModuleAsyncOptions } from '@nestjs/common';
import type { JavaScriptOptions, LiquidOptions } from '@waymark/expressions';
import type { HttpWorkflowsExtras, HttpWorkflowsOptions } from '@waymark/http';
import type { WorkflowRuntimeOptions } from '@waymark/runtime';
import type { SchedulingOptions } from '@waymark/scheduling';

/** Options of `WorkflowModule.forRoot`; docs/options.md lists all of them in one table. All of them have defaults. */
export interface WorkflowModuleOptions extends WorkflowRuntimeOptions {
  /** Endpoints of HTTP-triggered workflows, and outgoing requests. @default those of `HttpWorkflowsOptions` */
  http?: HttpWorkflowsOptions | undefined;
  /** Timers, cron triggers and schedules. @default those of `SchedulingOptions` */
  scheduling?: SchedulingOptions | undefined;
  /** Limits and functions of JavaScript expressions. @default those of `JavaScriptOptions` */
  javascript?: JavaScriptOptions | undefined;
  /** Limits and filters of Liquid templates. @default those of `LiquidOptions` */
  liquid?: LiquidOptions | undefined;
}

/** Classes that replace defaults; they must be known when the module is declared. */
export type WorkflowModuleExtras = HttpWorkflowsExtras;

/**
 * Options of `WorkflowModule.forRootAsync`: the factory of the options, and what Nest must know before it calls the factory.
 */
export interface WorkflowModuleAsyncOptions
  extends ConfigurableModuleAsyncOptions<WorkflowModuleOptions>, WorkflowModuleExtras {
  /**
   * The persistence, or a provider such as `TypeOrmPersistence.fromDataSource()`, which uses the data source of the
   * application. The factory may return a persistence instead, but not a provider.
   * @default the persistence that the factory returns, or else in memory
   */
  persistence?: WorkflowRuntimeOptions['persistence'];
}
