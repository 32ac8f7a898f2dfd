import { RUNTIME_OPTION_KINDS } from '@waymark/runtime/adapter';
import type { WorkflowModuleAsyncOptions, WorkflowModuleOptions } from './workflow-module-options.js';

/** The names of all options of the module. */
export const OPTION_NAMES: Readonly<Record<keyof WorkflowModuleOptions, unknown>> = {
  ...RUNTIME_OPTION_KINDS,
  http: true,
  scheduling: true,
  javascript: true,
  liquid: true,
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
