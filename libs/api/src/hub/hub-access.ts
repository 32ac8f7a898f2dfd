import { Injectable } from '@nestjs/common';
import { ForbiddenError } from '../answers/api-errors.js';
import { CLOSED_API } from '../identity/api-auth.guard.js';
import { Authenticator, type Principal } from '../identity/authenticator.js';
import { ownerOf } from '../identity/owner-of.js';
import { allows } from '../identity/permissions.js';

/** The client of a connection. */
export interface HubCaller {
  /** Whom its negotiated tokens belong to. Those that give no credentials are one: their address may change. */
  readonly owner: string;
  /** Clients that count as the same share the limit `connectionsPerUser`. */
  readonly countsAs: string;
  /** Whether it may read activity executions, and so receives statistics of activities. */
  readonly seesExecutions: boolean;
  /** Checks the credentials again. @throws UnauthenticatedError, ForbiddenError when they are no longer valid */
  check(): void;
}

const READ_INSTANCES = 'read:workflow-instances';
const READ_EXECUTIONS = 'read:activity-execution';

/** Decides who may connect, by the same credentials and permissions as the routes of the API. */
@Injectable()
export class HubAccess {
  constructor(private readonly authenticator: Authenticator) {}

  /** True if the API asks for no credentials, so that only guards of the application can restrict who negotiates. */
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
    if (!this.authenticator.isRequired)
      return { owner: '', countsAs: ownerOf(undefined, address), seesExecutions: true, check: () => undefined };
    const credentials = authorization ?? (token === undefined ? undefined : `Bearer ${token}`);
    const principal = this.principal(credentials, address);
    const owner = ownerOf(principal, address);
    return {
      owner,
      countsAs: owner,
      seesExecutions: allows(principal.permissions, { permissions: [READ_EXECUTIONS] }),
      check: () => void this.principal(credentials, address),
    };
  }

  private principal(credentials: string | undefined, address: string | undefined): Principal {
    const principal = this.authenticator.authenticate(credentials, 'access', address);
    if (!allows(principal.permissions, { permissions: [READ_INSTANCES] }))
      throw new ForbiddenError(
        `User "${principal.name}" lacks the permission ${READ_INSTANCES}. Use credentials that have it.`,
      );
    return principal;
  }
}
