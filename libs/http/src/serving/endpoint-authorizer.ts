import { Inject, Injectable } from '@nestjs/common';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import type { HttpRequest } from '../requests/http-request.js';

/** A named condition on the user of a request. */
export type EndpointPolicy = (user: unknown, context: EndpointAccess) => boolean | Promise<boolean>;

/** A request to an endpoint with `authorize`. */
export interface EndpointAccess {
  /** The request. */
  readonly request: HttpRequest;
  /** Policy that the endpoint names; undefined: none. */
  readonly policy?: string;
  /** Id of the definition that would be started; undefined when an instance is resumed. */
  readonly workflowDefinitionId?: string;
  /** Id of the instance that would be resumed; undefined when one is started. */
  readonly workflowInstanceId?: string;
}

/** Decides about requests to endpoints with `authorize`; requests to other endpoints are accepted without asking it. */
export abstract class HttpEndpointAuthorizer {
  /** Returns true to accept the request; false is answered with 401. */
  abstract authorize(access: EndpointAccess): boolean | Promise<boolean>;
}

/**
 * Accepts every user that a guard or middleware has authenticated (`request.user`) and who satisfies the policy of the
 * endpoint.
 */
@Injectable()
export class RequestUserAuthorizer extends HttpEndpointAuthorizer {
  private readonly logger = new WorkflowLogger('HttpEndpointAuthorizer');

  constructor(@Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions) {
    super();
  }

  /** Returns true if the request is accepted. */
  authorize(access: EndpointAccess): boolean | Promise<boolean> {
    const { user } = access.request;
    if (!user) return false;
    if (access.policy === undefined) return true;
    const policy = Object.hasOwn(this.options.policies, access.policy)
      ? this.options.policies[access.policy]
      : undefined;
    if (typeof policy === 'function') return policy(user, access);
    this.logger.warn(
      `Policy "${access.policy}" is not defined, so no user satisfies it. Add it to the HTTP option 'policies'.`,
    );
    return false;
  }
}
