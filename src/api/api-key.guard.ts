import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { Authenticator, ForbiddenError } from '@waymark/api';
import { holds } from './host-permissions.js';

const PERMISSION = Symbol('waymark host permission');

/** The permission that all routes of a controller need. */
export const RequiresPermission = (permission: string): ClassDecorator => SetMetadata(PERMISSION, permission);

/** Routes of the host that need credentials of the management API, when there are any. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly modules: ModuleRef,
    private readonly reflector: Reflector,
  ) {}

  /** @throws UnauthenticatedError, TooManyLoginsError, ForbiddenError */
  canActivate(context: ExecutionContext): boolean {
    const authenticator = this.modules.get(Authenticator, { strict: false });
    if (!authenticator.isRequired) return true;
    const { headers, ip } = context.switchToHttp().getRequest<{ headers: { authorization?: string }; ip?: string }>();
    const principal = authenticator.authenticate(headers.authorization, 'access', ip);
    const permission = this.reflector.get<string | undefined>(PERMISSION, context.getClass());
    if (permission === undefined || holds(principal, permission)) return true;
    throw new ForbiddenError(
      `User "${principal.name}" lacks the permission ${permission}. Use credentials that have it.`,
    );
  }
}
