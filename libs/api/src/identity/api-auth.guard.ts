import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ForbiddenError } from '../answers/api-errors.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { AUDITED } from '../audit/audited.js';
import { clientAddress, type HttpReply, type HttpRequest } from '../requests/http-request.js';
import { Authenticator, type Principal } from './authenticator.js';
import { isForeign } from './cross-site.js';
import { allows, changesDefinitions, ROUTE_ACCESS, type RouteAccess } from './permissions.js';

/** Said at the start; the answers have no body. */
export const CLOSED_API =
  "The management API is closed, because it has neither users nor keys. Give WorkflowApiModule the option 'authentication', or 'allowAnonymous: true' to grant full access to everyone who can reach it.";

const FOREIGN_PAGE =
  'A page of another site made this request, which changes something, and the API asks for no credentials of its own. Call it from the ' +
  "application's own pages, allow the site by enableCors(), or give the API the option 'authentication'.";

const PRINCIPAL = Symbol('waymark.api.principal');

/** Checks the credentials of every request to the API. */
@Injectable()
export class ApiAuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  /** @throws UnauthenticatedError, ForbiddenError */
  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [context.getHandler()]);
    if (!access) throw new ForbiddenError('This route does not declare a permission, so every caller is refused.');
    if (this.authenticator.isClosed && !access.isAnonymous) throw new ForbiddenError(CLOSED_API);
    // Links that are signed, in mails for instance, carry their own permission.
    const isAmbient = this.authenticator.isOpen && !access.isAnonymous;
    if (isAmbient && this.reflector.get<unknown>(AUDITED, context.getHandler()) && isForeignTo(context))
      throw new ForbiddenError(FOREIGN_PAGE);
    if (this.authenticator.isRequired && !access.isAnonymous) {
      const request = context.switchToHttp().getRequest<HttpRequest & { [PRINCIPAL]?: Principal }>();
      const principal = this.authenticator.authenticate(
        request.headers.authorization,
        access.token,
        clientAddress(request),
      );
      // First: who is refused is named in the audit trail.
      request[PRINCIPAL] = principal;
      requireAllowed(principal, access);
    }
    if (this.options.readOnly && changesDefinitions(access))
      throw new ForbiddenError(
        'Workflow definitions are read-only on this server: save them where they come from, or change its option readOnly.',
      );
    return true;
  }
}

/**
 * For what only some requests to a route want: publishing what is saved.
 * @throws ForbiddenError
 */
export function requirePermission(request: HttpRequest, permission: string): void {
  const principal = principalOf(request);
  if (principal) requireAllowed(principal, { permissions: [permission] });
}

/** For what a request is shown some of, as it may. @param permissions one of them is enough */
export function hasPermission(request: HttpRequest, ...permissions: string[]): boolean {
  const principal = principalOf(request);
  return !principal || allows(principal.permissions, { permissions });
}

function isForeignTo(context: ExecutionContext): boolean {
  const http = context.switchToHttp();
  return isForeign(http.getRequest<HttpRequest>(), http.getResponse<HttpReply>());
}

function requireAllowed({ name, permissions }: Principal, access: Pick<RouteAccess, 'permissions'>): void {
  if (!allows(permissions, access))
    throw new ForbiddenError(
      `User "${name}" lacks the permission ${access.permissions.join(' or ')}. Use credentials that have it.`,
    );
}

/** Who makes the request; `undefined` when credentials are not asked for. */
export const principalOf = (request: HttpRequest): Principal | undefined =>
  (request as { [PRINCIPAL]?: Principal })[PRINCIPAL];
