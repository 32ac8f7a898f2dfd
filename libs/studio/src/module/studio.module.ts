import { ConfigurableModuleBuilder, type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { refuseClassImport, requireAsyncOptions, requireOptionsObject } from '@waymark/core/adapter';
import { BUILT_FOLDER, STUDIO_FOLDER, StudioAssets } from '../serving/studio-assets.js';
import { mapRoutes, studioController } from '../serving/studio-controller.js';
import { StudioPages } from '../serving/studio-pages.js';
import { StudioApiPath } from './api-path.js';
import {
  ASYNC_NAMES,
  LATE_KINDS,
  type ResolvedStudioOptions,
  resolveLateOptions,
  resolveStudioOptions,
  STUDIO_OPTIONS,
  type StudioAsyncOptions,
  type StudioOptions,
  type StudioPageOptions,
} from './studio-options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<StudioPageOptions>({
  moduleName: 'Studio',
}).build();

/**
 * Waymark Studio: pages that talk to the management API (`WorkflowApiModule`) of the same application.
 *
 * The pages hold nothing secret, and pass the application's global guards and `guards`; what they show, they ask the API for,
 * which has its own.
 *
 * @example StudioModule.forRoot({ path: '/studio' })
 */
// `forRoot` replaces the provider: it is reached where the class itself is imported.
@Module({ providers: [{ provide: STUDIO_OPTIONS, useFactory: () => refuseClassImport('StudioModule') }] })
export class StudioModule {
  /**
   * Serves Studio.
   * @throws StudioOptionsError (`WM9201`), UnknownOptionError (`WM1091`), InvalidOptionError (`WM1090`) for options that are no object;
   * at start ModuleSetupError (`WM1093`) without `WorkflowApiModule` and where the class itself is imported, StudioOptionsError for an
   * `apiPath` that is not that of the API
   */
  static forRoot(options?: StudioOptions): DynamicModule {
    requireOptionsObject('StudioModule.forRoot()', options);
    const resolved = resolveStudioOptions(options);
    return describeModule(resolved, [{ provide: STUDIO_OPTIONS, useValue: resolved }]);
  }

  /**
   * Serves Studio with options from a factory, which can inject providers. Those that Nest needs before it calls the factory are given
   * beside it: `path`, `guards` and `decorators`.
   *
   * @example
   * StudioModule.forRootAsync({
   *   path: '/studio',
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ loginUrl: config.get('LOGIN_URL') }),
   * })
   * @throws InvalidOptionError (`WM1090`) without `useFactory`, `useClass` or `useExisting`, and as `forRoot`: for what the factory returns, at
   * start
   */
  static forRootAsync(options: StudioAsyncOptions): DynamicModule {
    requireAsyncOptions('StudioModule.forRootAsync()', options, ASYNC_NAMES, LATE_KINDS);
    const { path, guards, decorators, ...factory } = options;
    const early = resolveStudioOptions({ path, guards, decorators });
    const { providers = [], imports } = ConfigurableModuleClass.registerAsync(factory);
    const late: Provider = {
      provide: STUDIO_OPTIONS,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (given: StudioPageOptions) => resolveLateOptions(early, given),
    };
    return describeModule(early, [...providers, late], imports);
  }
}

function describeModule(
  options: ResolvedStudioOptions,
  providers: readonly Provider[],
  imports: DynamicModule['imports'] = [],
): DynamicModule {
  const controller = studioController(options);
  return {
    module: StudioModule,
    imports,
    controllers: [controller],
    providers: [
      ...providers,
      StudioApiPath,
      { provide: STUDIO_FOLDER, useValue: BUILT_FOLDER },
      StudioAssets,
      StudioPages,
      routesOf(controller),
    ],
  };
}

/** The adapter is known before Nest reads the routes, and not when the module is described. Applications without HTTP have none. */
const routesOf = (controller: Type): Provider => ({
  provide: Symbol.for('@waymark/studio:routes'),
  inject: [HttpAdapterHost],
  useFactory: (host: HttpAdapterHost) =>
    host.init$.subscribe(() => mapRoutes(controller, host.httpAdapter?.getType?.() === 'fastify' ? '*' : '{*path}')),
});
