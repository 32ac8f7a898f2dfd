import { InvalidOptionError } from '@waymark/core';
import { nearestName } from '@waymark/core/adapter';
import { API_PERMISSIONS } from './api-permissions.js';

/** Who has permissions: a user, or a key. */
interface Granted {
  readonly permissions?: readonly string[];
}

interface Grants {
  readonly users?: readonly Granted[];
  readonly apiKeys?: readonly (Granted | string)[];
  readonly applicationPermissions?: readonly string[];
}

const REQUIREMENT =
  "a permission of the management API, or one that 'authentication.applicationPermissions' names for the application's own routes";

/**
 * Refuses permissions that no route asks for. A mistyped one would permit nothing, silently until its user is refused.
 * @param owner as messages name it
 * @throws InvalidOptionError (`WM1090`) with the path of the option, and the known permission that is nearest
 */
export function requireKnownPermissions(owner: string, authentication: Grants): void {
  const { users = [], apiKeys = [], applicationPermissions = [] } = authentication;
  const isOwn = applicationPermissions.map(matcherOf);
  const known = [...API_PERMISSIONS, ...applicationPermissions];
  const check = (list: string, all: readonly (Granted | string)[]): void => {
    for (const [at, one] of all.entries()) {
      const permissions =
        typeof one === 'string' ? [] : permissionsOf(owner, `authentication.${list}[${at}].permissions`, one);
      for (const [index, permission] of permissions.entries()) {
        if (permission === '*' || API_PERMISSIONS.includes(permission) || isOwn.some((is) => is(permission))) continue;
        const nearest = nearestName(permission, known);
        const hint = nearest === undefined ? '' : ` (the nearest is '${nearest}')`;
        const option = `authentication.${list}[${at}].permissions[${index}]`;
        throw new InvalidOptionError(owner, option, REQUIREMENT + hint, `'${permission}'`);
      }
    }
  };
  check('users', users);
  check('apiKeys', apiKeys);
}

/** Left out they are all permissions. A setting that got lost must not give those. */
function permissionsOf(owner: string, option: string, granted: Granted): readonly string[] {
  const { permissions } = granted;
  if ('permissions' in granted && !permissions)
    throw new InvalidOptionError(owner, option, 'a list; leave it out for all permissions', String(permissions));
  return permissions ?? [];
}

/** A name with `*` at its end stands for all that begin so. */
function matcherOf(name: string): (permission: string) => boolean {
  const start = name.slice(0, -1);
  return name.endsWith('*') ? (permission) => permission.startsWith(start) : (permission) => permission === name;
}
