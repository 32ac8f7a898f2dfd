import { ApiServer } from '../module/api-harness.spec.js';

describe('users and roles', () => {
  it('users and roles are shown as configured, without passwords', async () => {
    const api = await ApiServer.start('fastify', {
      authentication: {
        users: [
          { name: 'ann', password: 'secret', roles: ['clerk', 'admin'] },
          {
            name: 'bob',
            password: 'secret',
            roles: ['clerk'],
            permissions: ['read:workflow-definitions', 'read:user'],
          },
        ],
        apiKeys: ['the-key'],
      },
    });
    try {
      const headers = { authorization: 'ApiKey the-key' };
      const users = await api.call('GET', '/identity/users', undefined, headers);
      expect(users.json.users).toEqual([
        { id: 'ann', name: 'ann', roles: ['clerk', 'admin'], tenantId: '' },
        { id: 'bob', name: 'bob', roles: ['clerk'], tenantId: '' },
      ]);
      const roles = await api.call('GET', '/identity/roles', undefined, headers);
      expect(roles.json.roles).toEqual([
        { id: 'clerk', name: 'clerk', permissions: ['read:workflow-definitions', 'read:user'] },
        { id: 'admin', name: 'admin', permissions: ['*'] },
      ]);
      const me = await api.call('GET', '/identity/me', undefined, headers);
      expect(me.json).toMatchObject({ kind: 'ApiKey', permissions: ['*'], roles: [] });
      const { json } = await api.call('POST', '/identity/login', { username: 'bob', password: 'secret' });
      const bob = await api.call('GET', '/identity/me', undefined, { authorization: `Bearer ${json.accessToken}` });
      expect(bob.json).toEqual({
        kind: 'User',
        id: 'bob',
        name: 'bob',
        roles: ['clerk'],
        permissions: ['read:workflow-definitions', 'read:user'],
      });
      expect((await api.call('GET', '/identity/me')).status).toBe(401);
      expect((await api.call('GET', '/identity/users')).status).toBe(401);
      expect((await api.call('POST', '/identity/users', {}, headers)).status).toBe(405);
    } finally {
      await api.close();
    }
  });

  it.each(['fastify', 'express'] as const)(
    'reads only a name and a password before the login (%s)',
    async (adapter) => {
      const api = await ApiServer.start(adapter, { authentication: { users: [{ name: 'ann', password: 'secret' }] } });
      try {
        const login = (body: unknown) =>
          api.call('POST', '/identity/login', body, { 'content-type': 'application/json' });
        expect((await login({ username: 'ann', password: 'secret' })).json).toMatchObject({ isAuthenticated: true });
        expect((await login({ username: 'ann', password: 'secret', x: 'y'.repeat(4096) })).status).toBe(413);
        expect((await login(`{"a":${'['.repeat(4000)}`)).status).toBe(400);
      } finally {
        await api.close();
      }
    },
  );
});
