import { InvalidOptionError } from '@waymark/core';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { ApiServer } from '../module/api-harness.spec.js';
import { type ApiAuthenticationOptions, resolveApiOptions } from '../module/api-options.js';
import { API_PERMISSIONS } from './api-permissions.js';
import { ROUTE_ACCESS, type RouteAccess } from './permissions.js';

const resolved = (authentication: ApiAuthenticationOptions) => () => resolveApiOptions({ authentication });
const key = (...permissions: string[]) => ({ apiKeys: ['other', { key: 'k', permissions }] });
const user = (...permissions: string[]) => ({ users: [{ name: 'ann', password: 'p', permissions }] });
const OWN = ['decide:leave-requests', 'policy:*'];

describe('permissions of users and keys', () => {
  it.each([
    [key('read:workflow-instance'), "'authentication.apiKeys[1].permissions[0]'", 'read:workflow-instances'],
    [key('*', 'write:workflow-definition'), "'authentication.apiKeys[1].permissions[1]'", 'write:workflow-definitions'],
    [user('Read:user-tasks'), "'authentication.users[0].permissions[0]'", 'read:user-tasks'],
    [user('manageworkflowruntime'), "'authentication.users[0].permissions[0]'", 'ManageWorkflowRuntime'],
    [{ ...user('decide:leave-request'), applicationPermissions: OWN }, 'users[0]', 'decide:leave-requests'],
  ])(
    'permissions of users and keys are refused when mistyped, with the nearest known one: %j',
    (authentication, option, nearest) => {
      const message = expect.stringContaining(option) as unknown;
      expect(resolved(authentication)).toThrow(expect.objectContaining({ code: 'WM1090', message }));
      expect(resolved(authentication)).toThrow(`(the nearest is '${nearest}')`);
      expect(resolved(authentication)).toThrow(InvalidOptionError);
    },
  );

  it.each([key('paint:walls'), user('write:*'), user(''), { ...user('policies:x'), applicationPermissions: OWN }])(
    'permissions of users and keys are refused when nothing requires them: %j',
    (authentication) => {
      expect(resolved(authentication)).toThrow(/applicationPermissions.*, not '/);
    },
  );

  it('permissions of users and keys are accepted when the API or the application defines them', () => {
    for (const permission of [...API_PERMISSIONS, '*']) expect(resolved(key(permission))).not.toThrow();
    const own = user('decide:leave-requests', 'policy:managers', 'read:audit');
    expect(resolved({ ...own, applicationPermissions: OWN })).not.toThrow();
    expect(resolved({ apiKeys: ['k'], users: [{ name: 'ann', password: 'p' }] })).not.toThrow();
  });

  it.each([undefined, null])('members of users and keys that are %s have their defaults', (nothing) => {
    const none = nothing as undefined;
    const { authentication } = resolved({
      users: [{ name: 'ann', password: 'p', id: none, roles: none }],
      apiKeys: [{ key: 'k', name: none }],
    })();
    expect(authentication).toMatchObject({
      users: [{ id: 'ann', name: 'ann', password: 'p', permissions: ['*'], roles: [] }],
      apiKeys: [{ key: 'k', name: 'api-key', permissions: ['*'] }],
    });
  });
});

describe('permissions that got lost', () => {
  it.each([undefined, null])('permissions that are %s are refused, because left out they are all', (nothing) => {
    const permissions = nothing as undefined;
    for (const [list, authentication] of Object.entries({
      users: { users: [{ name: 'ann', password: 'p', permissions }] },
      apiKeys: { apiKeys: [{ key: 'k', permissions }] },
    })) {
      const message = expect.stringContaining(`'authentication.${list}[0].permissions'`) as unknown;
      expect(resolved(authentication)).toThrow(expect.objectContaining({ code: 'WM1090', message }));
    }
  });
});

describe('credentials', () => {
  // What `String(process.env.API_KEY)` makes of a variable that is not set.
  it.each<[string, ApiAuthenticationOptions]>([
    ['apiKeys[0].key', { apiKeys: [{ key: 'undefined' }] }],
    ['apiKeys[0]', { apiKeys: ['null'] }],
    ['users[0].password', { users: [{ name: 'ann', password: ' undefined ' }] }],
  ])('must not be the text of a variable that is not set: %s', (option, authentication) => {
    const message = expect.stringMatching(
      `'authentication\\.${option.replaceAll(/[[\].]/g, '\\$&')}' .*not 'undefined' or 'null', the texts of variables that are not set`,
    ) as unknown;
    expect(resolved(authentication)).toThrow(expect.objectContaining({ code: 'WM1090', message }));
  });
});

describe('the permissions of the API', () => {
  it('the permissions of the API are the permissions that its routes require', async () => {
    const server = await ApiServer.start('express');
    try {
      const reflector = server.app.get(Reflector);
      const asked = new Set<string>();
      for (const { metatype } of server.app.get(DiscoveryService, { strict: false }).getControllers()) {
        const { prototype } = (metatype ?? {}) as { prototype?: Record<string, unknown> };
        for (const method of Object.getOwnPropertyNames(prototype ?? {})) {
          const handler: unknown = Object.getOwnPropertyDescriptor(prototype!, method)?.value;
          const access =
            typeof handler === 'function'
              ? reflector.get<RouteAccess | undefined>(ROUTE_ACCESS, handler as () => void)
              : undefined;
          for (const permission of access?.permissions ?? []) asked.add(permission);
        }
      }
      expect([...asked].toSorted()).toEqual([...API_PERMISSIONS].toSorted());
    } finally {
      await server.close();
    }
  });
});
