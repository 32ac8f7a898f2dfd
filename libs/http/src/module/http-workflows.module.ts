import { ConfigurableModuleBuilder, type DynamicModule, Module } from '@nestjs/common';
import { HTTP_OPTIONS, type HttpWorkflowsOptions, resolveHttpOptions } from './http-options.js';
import { httpParts, type HttpWorkflowsExtras, NO_EXTRAS } from './http-parts.js';

interface ModuleExtras extends HttpWorkflowsExtras {
  /** Modules whose providers the classes in the extras need. */
  imports?: DynamicModule['imports'];
}

const builder = new ConfigurableModuleBuilder<HttpWorkflowsOptions>({ moduleName: 'HttpWorkflows' })
  .setClassMethodName('forRoot')
  .setExtras<ModuleExtras>({ ...NO_EXTRAS, imports: undefined }, (definition, extras) => compose(definition, extras))
  .build();

function compose(definition: DynamicModule, extras: ModuleExtras): DynamicModule {
  const parts = httpParts(extras);
  const options = { provide: HTTP_OPTIONS, inject: [builder.MODULE_OPTIONS_TOKEN], useFactory: resolveHttpOptions };
  return {
    ...definition,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
    controllers: [...parts.controllers],
    providers: [...(definition.providers ?? []), options, ...parts.providers],
    exports: [...parts.exports],
  };
}

/**
 * Serves HTTP workflows on the server of the application. It needs the services of the runtime; `WorkflowModule` provides both.
 */
@Module({})
export class HttpWorkflowsModule extends builder.ConfigurableModuleClass {}
