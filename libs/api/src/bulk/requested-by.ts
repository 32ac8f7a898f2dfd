import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { AuditActorKind, type PlanRequester } from '@waymark/runtime';
import { isAuditedRequest } from '../audit/request-audit.js';
import { principalOf } from '../identity/api-auth.guard.js';
import type { HttpRequest } from '../requests/http-request.js';

/** Who makes a request, as a plan of it stores it: what it may do was checked, and what the plan does later is done in this name. */
export function requesterOf(request: HttpRequest): PlanRequester {
  const principal = principalOf(request);
  return {
    actorKind: principal?.kind ?? AuditActorKind.Anonymous,
    ...(principal && { actor: principal.name }),
    isAudited: isAuditedRequest(request),
  };
}

/** Gives a handler who makes the request. */
export const RequestedBy = createParamDecorator((_: unknown, context: ExecutionContext): PlanRequester =>
  requesterOf(context.switchToHttp().getRequest<HttpRequest>()),
);
