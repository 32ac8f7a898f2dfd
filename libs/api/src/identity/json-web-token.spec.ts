import { signToken, verifyToken, type TokenClaims } from './json-web-token.js';

const KEY = 'a key that is long enough for the purpose';
const claims: TokenClaims = {
  iss: 'i',
  aud: 'a',
  sub: 'u1',
  name: 'Ann',
  token_use: 'access',
  iat: 1000,
  nbf: 1000,
  exp: 2000,
  permissions: '*',
};
const expected = { key: KEY, issuer: 'i', audience: 'a', tokenUse: 'access', now: 1_500_000 } as const;

describe('tokens', () => {
  const token = signToken(claims, KEY);

  it('tokens are read with the content they were issued with', () =>
    expect(verifyToken(token, expected)).toEqual(claims));

  it.each([
    ['another key', { key: `${KEY}!` }],
    ['another issuer', { issuer: 'x' }],
    ['another audience', { audience: 'x' }],
    ['another use', { tokenUse: 'refresh' as const }],
    ['too late', { now: 2_000_000 }],
    ['too early', { now: 900_000 }],
  ])('tokens are refused: %s', (_, change) => expect(verifyToken(token, { ...expected, ...change })).toBeUndefined());

  it('tokens are refused with an unknown algorithm', () => {
    const [, body] = token.split('.');
    const head = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(verifyToken(`${head}.${body}.`, expected)).toBeUndefined();
  });

  it.each(['', 'x', 'a.b.c', 'a.b.c.d', `${token}x`])('nonsense is refused: %s', (text) =>
    expect(verifyToken(text, expected)).toBeUndefined(),
  );
});
