import { describe, expect, it } from '@jest/globals';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import { Redaction } from './redaction.js';
import { SecretKeeper } from './secret-keeper.js';

const PASSWORD = 'hunter2-long';

function noting(content: unknown): SecretKeeper {
  const secrets = new SecretKeeper(new Redaction(), new Map());
  secrets.noteContent(content);
  return secrets;
}

describe('content of requests and responses', () => {
  it.each([
    { password: PASSWORD },
    [{ users: [{ credentials: { text: PASSWORD } }] }],
    { 'user[password]': ['a', PASSWORD] },
  ])('hides the texts under sensitive names anywhere: %j', (content) => {
    expect(noting(content).shown(`login of ann with ${PASSWORD}`)).toBe('login of ann with (redacted)');
  });

  it('keeps them for later bursts, as data of the workflow', () => {
    const variables = { Body: { password: PASSWORD }, copy: PASSWORD };
    const secrets = noting(variables.Body);
    expect(secrets.stored(variables)).toBe(variables);
    // Nor are inputs left out that hold one of them, other than those that hold others, too.
    const type = createDefaultTypeRegistry().resolve('String')!;
    expect(secrets.isWithheld('Text', type, `for ${PASSWORD}`)).toBe(false);
    secrets.note('own-secret');
    expect(secrets.isWithheld('Text', type, `for ${PASSWORD}`)).toBe(false);
    expect(secrets.isWithheld('Text', type, `own-secret for ${PASSWORD}`)).toBe(true);
  });

  it.each([undefined, null, 'password', { user: PASSWORD }, new Uint8Array(8), { password: 'short' }])(
    'hides nothing else: %j',
    (content) => {
      expect(noting(content).shown(`login with ${PASSWORD} or short`)).toBe(`login with ${PASSWORD} or short`);
    },
  );

  it('makes the burst forget no secret, however much there is', () => {
    const secrets = new SecretKeeper(new Redaction(), new Map());
    secrets.noteReceivedHeaders({ authorization: `Bearer ${PASSWORD}` });
    secrets.note('own-secret');
    secrets.noteContent({ passwords: Array.from({ length: 1000 }, (_, n) => `password-${1000 + n}`) });
    expect(secrets.shown(`${PASSWORD} own-secret password-1000 password-1900`)).toBe(
      '(redacted) (redacted) (redacted) password-1900',
    );
    let deep: unknown = PASSWORD;
    for (let level = 0; level < 1000; level++) deep = { password: deep };
    expect(noting(deep).shown(PASSWORD)).toBe(PASSWORD);
  });
});
