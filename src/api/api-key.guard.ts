import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Authenticator } from '@waymark/api';

/** Routes of the host that need the key of the management API, when there is one. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly modules: ModuleRef) {}

  /** @throws UnauthenticatedError */
  canActivate(context: ExecutionContext): boolean {
    const authenticator = this.modules.get(Authenticator, { strict: false });
    if (!authenticator.isRequired) return true;
    const { headers } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>();
    authenticator.authenticate(headers.authorization, 'access');
    return true;
  }
}
