import { Inject } from '@nestjs/common';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

/** Who may log in, and what they may do. Both are the host's configuration, so they can be looked at but not changed. */
@ApiController('identity')
export class UsersController {
  constructor(@Inject(API_OPTIONS) private readonly options: ResolvedApiOptions) {}

  @ApiGet('users', 'read:user')
  users() {
    const users = this.options.authentication?.users ?? [];
    return { users: users.map(({ id, name, roles }) => ({ id, name, roles, tenantId: '' })) };
  }

  /** A role may do what all who have it may do: permissions belong to users here. */
  @ApiGet('roles', 'read:role')
  roles() {
    const byRole = new Map<string, Set<string>>();
    for (const { roles, permissions } of this.options.authentication?.users ?? [])
      for (const role of roles) {
        const common = byRole.get(role);
        byRole.set(role, common ? inBoth(common, new Set(permissions)) : new Set(permissions));
      }
    return { roles: [...byRole].map(([id, permissions]) => ({ id, name: id, permissions: [...permissions] })) };
  }
}

const isAll = (permissions: ReadonlySet<string>): boolean => permissions.has('*');

function inBoth(a: Set<string>, b: Set<string>): Set<string> {
  if (isAll(a)) return b;
  return isAll(b) ? a : new Set([...a].filter((permission) => b.has(permission)));
}
