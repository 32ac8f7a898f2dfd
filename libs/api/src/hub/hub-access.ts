import { Injectable } from '@nestjs/common';
import { ForbiddenError } from '../answers/api-errors.js';
import { CLOSED_API } from '../identity/api-auth.guard.js';
import { Authenticator, type Principal } from '../identity/authenticator.js';
import { allows } from '../identity/permissions.js';

/** The client of a connection. */
export interface HubCaller {
  /** Clients with the same owner share the limit `connectionsPerUser`. */
  readonly owner: string;
  /** Whether it may read activity executions, and so receives statistics of activities. */
  readonly seesExecutions: boolean;
  /** Checks the credentials again. @throws UnauthenticatedError, ForbiddenError when they are no longer valid */
  check(): void;
}

const READ_INSTANCES = 'read:workflow-instances';
const READ_EXECUTIONS = 'read:activity-execution';

const ANONYMOUS: HubCaller = { owner: '', seesExecutions: true, check: () => undefined };

/** Decides who may connect, by the same credentials and permissions as the routes of the API. */
@Injectable()
export class HubAccess {
  constructor(private readonly authenticator: Authenticator) {}

  /** True: the API asks for no credentials, so that only guards of the application can restrict who negotiates. */
  get isOpen(): boolean {
    return this.authenticator.isOpen;
  }

  /**
   * @param token from the query: browsers send no headers with WebSockets
   * @param address of the client
   * @throws UnauthenticatedError, ForbiddenError, TooManyLoginsError
   */
  callerOf(authorization: string | undefined, token: string | undefined, address: string | undefined): HubCaller {
    if (this.authenticator.isClosed) throw new ForbiddenError(CLOSED_API);
    if (!this.authenticator.isRequired) return ANONYMOUS;
    const credentials = authorization ?? (token === undefined ? undefined : `Bearer ${token}`);
    const principal = this.principal(credentials, address);
    return {
      owner: `${principal.kind} ${principal.id}`,
      seesExecutions: allows(principal.permissions, { permissions: [READ_EXECUTIONS] }),
      check: () => void this.principal(credentials, address),
    };
  }

  private principal(credentials: string | undefined, address: string | undefined): Principal {
    const principal = this.authenticator.authenticate(credentials, 'access', address);
    if (!allows(principal.permissions, { permissions: [READ_INSTANCES] }))
      throw new ForbiddenError(`User "${principal.name}" lacks the permission ${READ_INSTANCES}.`);
    return principal;
  }
}
