import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { ModuleSetupError } from '@waymark/core';
import { MANAGEMENT_API, type ManagementApi, refuseMovedRoutes } from '@waymark/core/adapter';
import { StudioOptionsError } from './studio-errors.js';
import { type ResolvedStudioOptions, STUDIO_OPTIONS } from './studio-options.js';

/** Where the management API of this application lives, as the pages call it. */
@Injectable()
export class StudioApiPath implements OnModuleInit {
  private readonly routePrefix: string;
  /** Below the global prefix. */
  private readonly own: string;

  /**
   * Without the API, each page would show an error, which does not say what is missing.
   * @throws ModuleSetupError (`WM1093`) when no module of the application is `WorkflowApiModule`, StudioOptionsError (`WM9201`) when
   *   that one is elsewhere
   */
  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    @Inject(STUDIO_OPTIONS) private readonly options: ResolvedStudioOptions,
  ) {
    const found = [...modules.values()].find((module) => module.providers.has(MANAGEMENT_API));
    if (!found)
      throw new ModuleSetupError(
        'StudioModule',
        'shows what the management API answers, and that is missing. Import WorkflowApiModule.forRoot({ … }) of @waymark/api beside it.',
      );
    this.routePrefix = (found.providers.get(MANAGEMENT_API)!.instance as ManagementApi).routePrefix;
    this.own = pathOf(this.routePrefix);
    // What may stand before it is known once the application has set its global prefix.
    if (options.apiPath?.endsWith(this.own) === false) this.refuse();
  }

  /**
   * @throws StudioOptionsError (`WM9201`) for a path that begins with another prefix than the application's, ModuleSetupError (`WM1093`)
   *   where `RouterModule` moves Studio
   */
  onModuleInit(): void {
    const all = [...this.modules.values()];
    const studio = all.find(({ providers }) => providers.has(STUDIO_OPTIONS))?.metatype;
    refuseMovedRoutes(all, studio, 'Set path of StudioModule.forRoot() instead.');
    const { apiPath } = this.options;
    if (apiPath !== undefined && apiPath !== this.own && apiPath !== this.whole) this.refuse();
  }

  /**
   * With the global prefix, unless the application excludes the API from it: whether it excludes Studio does not matter. Known once the
   * application is set up.
   */
  get whole(): string {
    const { exclude = [] } = this.config.getGlobalPrefixOptions();
    // Any route of the API: applications exclude by patterns of paths.
    const isExcluded = exclude.some(({ pathRegex }) => pathRegex.test(`${this.own}/package/version`));
    return isExcluded ? this.own : pathOf(this.config.getGlobalPrefix()) + this.own;
  }

  private refuse(): never {
    throw new StudioOptionsError(
      'apiPath',
      `is '${this.options.apiPath}', but WorkflowApiModule has the routePrefix '${this.routePrefix}'. Leave 'apiPath' out: it is the same by default.`,
    );
  }
}

const pathOf = (text: string): string =>
  text
    .split('/')
    .filter((name) => name !== '')
    .map((name) => `/${name}`)
    .join('');
