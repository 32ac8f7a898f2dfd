import type { ModulesContainer } from '@nestjs/core';
import { ModuleSetupError } from '@waymark/core';
import { MANAGEMENT_API, type ManagementApi } from '@waymark/core/adapter';
import type { ResolvedStudioOptions } from './studio-options.js';
import { StudioOptionsError } from './studio-errors.js';

/** Token of the path of the management API, as the pages call it. */
export const STUDIO_API_PATH = Symbol.for('@waymark/studio:api-path');

/**
 * The path of the management API of this application. Without it, each page would show an error, which does not say what is missing.
 * @throws ModuleSetupError (`WM1093`) when no module of the application is `WorkflowApiModule`, StudioOptionsError (`WM9201`) when
 *   that one is elsewhere
 */
export function apiPathIn(modules: ModulesContainer, { apiPath }: ResolvedStudioOptions): string {
  const found = [...modules.values()].find((module) => module.providers.has(MANAGEMENT_API));
  if (!found)
    throw new ModuleSetupError(
      'StudioModule',
      'shows what the management API answers, and that is missing. Import WorkflowApiModule.forRoot({ … }) of @waymark/api beside it.',
    );
  const { routePrefix } = found.providers.get(MANAGEMENT_API)!.instance as ManagementApi;
  const own = `/${routePrefix.split('/').filter(Boolean).join('/')}`;
  if (apiPath === undefined || apiPath === own) return own;
  throw new StudioOptionsError(
    'apiPath',
    `is '${apiPath}', but WorkflowApiModule has the routePrefix '${routePrefix}'. Leave 'apiPath' out: it is the same by default.`,
  );
}
