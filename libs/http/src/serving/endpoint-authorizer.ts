import { Inject, Injectable } from '@nestjs/common';
import { WorkflowLogger } from '@waymark/runtime';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import type { HttpRequest } from '../requests/http-request.js';

/** A named condition on the user of a request. */
export type EndpointPolicy = (user: unknown, context: EndpointAccess) => boolean | Promise<boolean>;

/** A request that wants to reach a workflow. */
export interface EndpointAccess {
  readonly request: HttpRequest;
  /** Named by the endpoint, if it names one. */
  readonly policy?: string;
  /** Of the workflow that would be started. */
  readonly workflowDefinitionId?: string;
  /** Of the instance that would be resumed. */
  readonly workflowInstanceId?: string;
}

/** Decides about requests to endpoints that ask for authorisation; all others are let in without asking. */
export abstract class HttpEndpointAuthorizer {
  /** False is answered with 401. */
  abstract authorize(access: EndpointAccess): boolean | Promise<boolean>;
}

/** Lets in whoever a guard or middleware has authenticated (`request.user`) and satisfies the policy that is named. */
@Injectable()
export class RequestUserAuthorizer extends HttpEndpointAuthorizer {
  private readonly logger = new WorkflowLogger('HttpEndpointAuthorizer');

  constructor(@Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions) {
    super();
  }

  authorize(access: EndpointAccess): boolean | Promise<boolean> {
    const user = userOf(access.request);
    if (!user) return false;
    if (access.policy === undefined) return true;
    const policy = Object.hasOwn(this.options.policies, access.policy)
      ? this.options.policies[access.policy]
      : undefined;
    if (policy) return policy(user, access);
    this.logger.warn(
      `Policy "${access.policy}" is not known, so nobody satisfies it. Add it to the HTTP option 'policies'.`,
    );
    return false;
  }
}

/** Where Nest's guards and the adapters' middleware leave the user. */
export function userOf(request: HttpRequest): unknown {
  const native = request.native as { user?: unknown } | undefined;
  return native?.user ?? (request.raw as { user?: unknown }).user;
}
