import { ConfigurableModuleBuilder } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { WorkflowHubModule } from '../hub/workflow-hub.module.js';
import { hubPrefix } from '../requests/api-path.js';
import { DEFAULT_ROUTE_PREFIX, type WorkflowApiExtras, type WorkflowApiOptions } from './api-options.js';

/** Token of what cannot be given asynchronously: the prefix must be known before anything asynchronous. */
export const API_EXTRAS = Symbol.for('@waymark/api:extras');

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<WorkflowApiOptions>({
  moduleName: 'WorkflowApi',
})
  .setClassMethodName('forRoot')
  .setExtras<WorkflowApiExtras>({ routePrefix: DEFAULT_ROUTE_PREFIX }, (definition, extras) => ({
    ...definition,
    imports: [
      ...(definition.imports ?? []),
      WorkflowHubModule,
      RouterModule.register([
        { path: extras.routePrefix ?? DEFAULT_ROUTE_PREFIX, module: definition.module },
        { path: hubPrefix(extras.routePrefix ?? DEFAULT_ROUTE_PREFIX), module: WorkflowHubModule },
      ]),
    ],
    providers: [...(definition.providers ?? []), { provide: API_EXTRAS, useValue: extras }],
  }))
  .build();
