import { Injectable } from '@nestjs/common';
import { type TaskPerson } from '@waymark/runtime';
import { ProvidedByApplication } from '@waymark/runtime/adapter';
import { noteForAudit } from '../audit/request-audit.js';
import { type Principal } from '../identity/authenticator.js';
import { principalOf } from '../identity/api-auth.guard.js';
import type { HttpRequest } from '../requests/http-request.js';

/**
 * Determines the person who makes a request about tasks, and their groups. The default is the user of the API with the roles as
 * groups; to change it, provide a class under this token in any module of the application.
 */
export abstract class UserTaskIdentity {
  /**
   * Returns the person who makes a request. A person without a `user` is refused with `WM2078`; to answer otherwise, throw an
   * exception such as Nest's `UnauthorizedException`.
   * @param principal who logged in at the API; undefined where the API asks for no credentials
   * @param request as Nest hands it to a handler
   */
  abstract personOf(principal: Principal | undefined, request: object): TaskPerson | Promise<TaskPerson>;
}

/** Permission to see all tasks and to do everything with them. */
export const MANAGE = 'manage:user-tasks';

/** Asks the application's `UserTaskIdentity`, if it has one. */
@Injectable()
export class TaskPersons {
  private identity: UserTaskIdentity | null | undefined;

  constructor(private readonly provided: ProvidedByApplication) {}

  async of(request: HttpRequest): Promise<TaskPerson> {
    const principal = principalOf(request);
    if (this.identity === undefined) this.identity = this.provided.find(UserTaskIdentity) ?? null;
    if (!this.identity) return personOf(principal);
    const person = await this.identity.personOf(principal, request);
    // The application has logins of its own: the audit trail names who they say it is.
    if (!principal && typeof person?.user === 'string')
      noteForAudit(request, { actor: person.user, actorKind: 'User' });
    return person;
  }
}

/** Where the API asks for no credentials, every caller may do everything. */
function personOf(principal: Principal | undefined): TaskPerson {
  if (!principal) return { user: 'anonymous', groups: [], isManager: true };
  const { name, roles, permissions } = principal;
  return { user: name, groups: roles, isManager: permissions.includes('*') || permissions.includes(MANAGE) };
}
