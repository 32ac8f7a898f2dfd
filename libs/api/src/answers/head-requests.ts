import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AUDITED, type AuditedRoute } from '../audit/audited.js';
import { leaveOutOfAudit } from '../audit/request-audit.js';
import { type HttpRequest, rawRequest } from '../requests/http-request.js';

const REFUSES_HEAD = Symbol.for('@waymark/api:refuses-head');

/**
 * A route of GET that acts, whose handler is called for HEAD too and asks `onlyLooks` before it acts: so that it refuses what it refuses of
 * GET, and does not confirm a link that has expired.
 */
export const RefusesHeadLikeGet = (): MethodDecorator => SetMetadata(REFUSES_HEAD, true);

/** If true, the handler of GET answers 200 without content, and does nothing. */
export const onlyLooks = (request: HttpRequest): boolean => rawRequest(request).method === 'HEAD';

/** Thrown to end a request without its handler. The filter answers 200 without content: nothing has failed. */
export class NothingToDo extends Error {
  override readonly name = 'NothingToDo';
}

/**
 * Both adapters serve HEAD by the handler of GET. Where GET acts, that would resume a workflow because a mail scanner, a preview or a
 * link checker looked whether the link in a mail exists. HEAD does nothing there. Not 405: some of them would try GET next. A handler
 * that does not say otherwise (`RefusesHeadLikeGet`) is not called.
 *
 * Stands behind the guard that checks credentials.
 */
@Injectable()
export class HeadRequestsGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws NothingToDo */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (!onlyLooks(request)) return true;
    const route = this.reflector.get<AuditedRoute | false | undefined>(AUDITED, context.getHandler());
    if (!route) return true;
    leaveOutOfAudit(request);
    if (this.reflector.get<boolean | undefined>(REFUSES_HEAD, context.getHandler())) return true;
    throw new NothingToDo();
  }
}
