import { SetMetadata, type CustomDecorator } from '@nestjs/common';

/** Who may call a route. */
export interface RouteAccess {
  /** One of these is enough; empty: every user who is logged in. */
  readonly permissions: readonly string[];
  /** If true, needs no credentials. */
  readonly isAnonymous: boolean;
  /** Bearer tokens of which kind are accepted. */
  readonly token: 'access' | 'refresh';
}

export const ROUTE_ACCESS = Symbol.for('@waymark/api:route-access');

const access = (value: Partial<RouteAccess>): CustomDecorator<symbol> =>
  SetMetadata(ROUTE_ACCESS, { permissions: [], isAnonymous: false, token: 'access', ...value } satisfies RouteAccess);

export const Requires = (...permissions: string[]): CustomDecorator<symbol> => access({ permissions });
/** To stand above the route's decorator, whose permissions it replaces. */
export const AllowAnonymous = (): CustomDecorator<symbol> => access({ isAnonymous: true });
/** To stand above the route's decorator, whose permissions it replaces. */
export const RequiresRefreshToken = (): CustomDecorator<symbol> => access({ token: 'refresh' });

/** Saving needs it only where what is saved is published at once. */
export const PUBLISH_DEFINITIONS = 'publish:workflow-definitions';

/** Permissions to change definitions; a read-only API grants them to no user. */
const CHANGES = /^(write|publish|retract|delete):workflow-definitions$/;

export const changesDefinitions = ({ permissions }: RouteAccess): boolean => permissions.some((p) => CHANGES.test(p));

export const allows = (granted: readonly string[], { permissions }: Pick<RouteAccess, 'permissions'>): boolean =>
  permissions.length === 0 || granted.includes('*') || permissions.some((p) => granted.includes(p));
