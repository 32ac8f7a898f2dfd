import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { HttpRequest } from '../requests/http-request.js';
import { AUDITED, type AuditedRoute } from './audited.js';
import { RequestAudit } from './request-audit.js';

/** Stands before all other guards, so that what they refuse is recorded as well. Lets everything through. */
@Injectable()
export class AuditGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: RequestAudit,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const route = this.reflector.get<AuditedRoute | false | undefined>(AUDITED, context.getHandler());
    if (route) this.audit.begin(context.switchToHttp().getRequest<HttpRequest>(), route);
    return true;
  }
}
