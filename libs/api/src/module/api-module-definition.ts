import { ConfigurableModuleBuilder } from '@nestjs/common';
import { checkValues, MANAGEMENT_API, type ManagementApi } from '@waymark/core/adapter';
import { RouterModule } from '@nestjs/core';
import { WorkflowHubModule } from '../hub/workflow-hub.module.js';
import { hubPrefix } from '../requests/api-path.js';
import { API_EXTRA_KINDS } from './api-option-kinds.js';
import { DEFAULT_ROUTE_PREFIX, type WorkflowApiExtras, type WorkflowApiOptions } from './api-options.js';

/** Token of what cannot be given asynchronously: the prefix must be known before anything asynchronous. */
export const API_EXTRAS = Symbol.for('@waymark/api:extras');

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<WorkflowApiOptions>({ moduleName: 'WorkflowApi' })
    .setClassMethodName('forRoot')
    .setExtras<WorkflowApiExtras>({ routePrefix: DEFAULT_ROUTE_PREFIX }, (definition, extras) => {
      checkValues({ name: 'WorkflowApiModule' }, extras, API_EXTRA_KINDS);
      const prefix = extras.routePrefix ?? DEFAULT_ROUTE_PREFIX;
      return {
        ...definition,
        imports: [
          ...(definition.imports ?? []),
          WorkflowHubModule,
          RouterModule.register([
            { path: prefix, module: definition.module },
            { path: hubPrefix(prefix), module: WorkflowHubModule },
          ]),
        ],
        providers: [
          ...(definition.providers ?? []),
          { provide: API_EXTRAS, useValue: extras },
          { provide: MANAGEMENT_API, useValue: { routePrefix: prefix } satisfies ManagementApi },
        ],
      };
    })
    .build();

/** What may stand beside the factory of `forRootAsync`. */
export const ASYNC_OPTION_NAMES: Readonly<Record<keyof typeof ASYNC_OPTIONS_TYPE, true>> = {
  imports: true,
  inject: true,
  useFactory: true,
  useClass: true,
  useExisting: true,
  provideInjectionTokensFrom: true,
  routePrefix: true,
};
