import { optionKinds as is } from '@waymark/core/adapter';
import { JAVASCRIPT_OPTION_KINDS, LIQUID_OPTION_KINDS } from '@waymark/expressions/adapter';
import { HTTP_OPTION_KINDS } from '@waymark/http/adapter';
import { RUNTIME_OPTION_KINDS } from '@waymark/runtime/adapter';
import { SCHEDULING_OPTION_KINDS } from '@waymark/scheduling/adapter';
import type { WorkflowModuleAsyncOptions, WorkflowModuleOptions } from './workflow-module-options.js';

/** The names of all options of the module, and of those in its groups. */
export const OPTION_NAMES: Readonly<Record<keyof WorkflowModuleOptions, unknown>> = {
  ...RUNTIME_OPTION_KINDS,
  http: is.group(HTTP_OPTION_KINDS),
  scheduling: is.group(SCHEDULING_OPTION_KINDS),
  javascript: is.group(JAVASCRIPT_OPTION_KINDS),
  liquid: is.group(LIQUID_OPTION_KINDS),
};

/** What may stand beside the factory of `forRootAsync`. */
export const ASYNC_OPTION_NAMES: Readonly<Record<keyof WorkflowModuleAsyncOptions, true>> = {
  imports: true,
  inject: true,
  useFactory: true,
  useClass: true,
  useExisting: true,
  provideInjectionTokensFrom: true,
  persistence: true,
  authorizer: true,
  faultHandler: true,
  controllerDecorators: true,
};
