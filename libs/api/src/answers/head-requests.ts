import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AUDITED, type AuditedRoute } from '../audit/audited.js';
import { leaveOutOfAudit } from '../audit/request-audit.js';
import { type HttpRequest, rawRequest } from '../requests/http-request.js';

/** Thrown to end a request without its handler. The filter answers 200 without content: nothing has failed. */
export class NothingToDo extends Error {
  override readonly name = 'NothingToDo';
}

/**
 * Both adapters serve HEAD by the handler of GET. Where GET acts, that would resume a workflow because a mail scanner, a preview or a
 * link checker looked whether the link in a mail exists. HEAD does nothing there. Not 405: some of them would try GET next.
 *
 * Stands behind the guard that checks credentials.
 */
@Injectable()
export class HeadRequestsGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws NothingToDo */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (rawRequest(request).method !== 'HEAD') return true;
    const route = this.reflector.get<AuditedRoute | false | undefined>(AUDITED, context.getHandler());
    if (!route) return true;
    leaveOutOfAudit(request);
    throw new NothingToDo();
  }
}
