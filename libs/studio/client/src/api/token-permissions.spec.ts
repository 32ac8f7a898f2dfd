import { describe, expect, it } from '@jest/globals';
import { permissionsIn } from './token-permissions.js';

const tokenOf = (claims: object): string =>
  `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

describe('the permissions in a token', () => {
  it.each([
    [{ name: 'Zoë ??>', permissions: ['read:schedules', 'manage:schedules'] }, ['read:schedules', 'manage:schedules']],
    [{ permissions: '*' }, ['*']],
    [{ permissions: [] }, []],
  ])('the permissions in a token are read from %j', (claims, permissions) => {
    expect(permissionsIn(tokenOf(claims))).toEqual(permissions);
  });

  it.each(['', 'opaque', 'a.b.c', tokenOf({ name: 'mia' })])(
    'the permissions in a token are not known from "%s"',
    (token) => {
      expect(permissionsIn(token)).toBeUndefined();
    },
  );
});
