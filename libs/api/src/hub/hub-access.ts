import { Injectable } from '@nestjs/common';
import { ForbiddenError } from '../answers/api-errors.js';
import { CLOSED_API } from '../identity/api-auth.guard.js';
import { Authenticator, type Principal } from '../identity/authenticator.js';
import { allows } from '../identity/permissions.js';

/** Who has a connection. */
export interface HubCaller {
  /** Those with one name share a budget of connections. */
  readonly owner: string;
  /** Whether statistics of activities are shown, as by the API. */
  readonly seesExecutions: boolean;
  /** @throws UnauthenticatedError, ForbiddenError when what was shown does not hold any more */
  check(): void;
}

const READ_INSTANCES = 'read:workflow-instances';
const READ_EXECUTIONS = 'read:activity-execution';

const EVERYBODY: HubCaller = { owner: '', seesExecutions: true, check: () => undefined };

/** Decides who may have a connection, as for routes of the API. */
@Injectable()
export class HubAccess {
  constructor(private readonly authenticator: Authenticator) {}

  /** True: the API asks for no credentials, and the application's own guards may decide who negotiates. */
  get isOpen(): boolean {
    return this.authenticator.isOpen;
  }

  /**
   * @param token of the query, where a client cannot send headers @param address of the client
   * @throws UnauthenticatedError, ForbiddenError, TooManyLoginsError
   */
  callerOf(authorization: string | undefined, token: string | undefined, address: string | undefined): HubCaller {
    if (this.authenticator.isClosed) throw new ForbiddenError(CLOSED_API);
    if (!this.authenticator.isRequired) return EVERYBODY;
    const shown = authorization ?? (token === undefined ? undefined : `Bearer ${token}`);
    const principal = this.principal(shown, address);
    return {
      owner: `${principal.kind} ${principal.id}`,
      seesExecutions: allows(principal.permissions, { permissions: [READ_EXECUTIONS] }),
      check: () => void this.principal(shown, address),
    };
  }

  private principal(shown: string | undefined, address: string | undefined): Principal {
    const principal = this.authenticator.authenticate(shown, 'access', address);
    if (!allows(principal.permissions, { permissions: [READ_INSTANCES] }))
      throw new ForbiddenError(`User "${principal.name}" lacks the permission ${READ_INSTANCES}.`);
    return principal;
  }
}
