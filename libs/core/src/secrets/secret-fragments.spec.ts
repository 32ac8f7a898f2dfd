import { describe, expect, it } from '@jest/globals';
import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import { act } from '../execution/testing/build-definition.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';
import { BurstSecrets } from './burst-secrets.js';

const masked = (text: string, ...secrets: string[]): string => {
  const burst = new BurstSecrets();
  for (const secret of secrets) burst.name(secret);
  return burst.maskError(text);
};
const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It did not fail.');
};

describe('the text of an error', () => {
  const token = 'sk-live-1234567890-abcdef';
  const document = `{"user":"ann","password":correct horse battery}${' '.repeat(60)}`;
  it.each([
    ['of JSON.parse', messageOf(() => JSON.parse(token)), [token], /sk|live|12/],
    ['of JSON.parse with a long text', messageOf(() => JSON.parse(token.repeat(3))), [token.repeat(3)], /sk-|live|123/],
    ['of JSON.parse with a secret within its text', messageOf(() => JSON.parse(`Bearer ${token}`)), [token], /sk|live/],
    ['of JSON.parse within a document', messageOf(() => JSON.parse(document)), [document], /correct|horse/],
    ['of the sandbox for JSON', "SyntaxError: unexpected token: 'hunter2' (line 1)", ['x: hunter2, y: 1'], /hunter/],
    ['of the sandbox for a name', "ReferenceError: 'hunter2' is not defined", ['hunter2 hunter3'], /hunter/],
    ['of the sandbox for a later name', "'c4n4ry' is not defined", ['sk-c4n4ry-1234'], /c4n4ry/],
    ['that shortens a name', `No member '${'Ab3'.repeat(21)}…'`, ['Ab3'.repeat(40)], /Ab3/],
    ['in small letters', 'getaddrinfo ENOTFOUND s3cr3ttoken.example', ['https://S3cr3tToken.example/x'], /s3cr/],
    ['with an encoded one', 'Invalid URL: /?k=p%40s%2Fs%2Bw%3Dr&x', ['p@s/s+w=rd'], /%2Fs/],
    ['with one as JSON has it', 'near \\"a\\nb\\tc\\"', ['"a\nb\tc"\n'], /a.nb/],
    ['with several parts', 'at sk-live-12, then 0-abcdef.', [token], /live|abcdef/],
  ])('%s has no part of a secret', (_, text, secrets, part) => {
    const shown = masked(text, ...secrets);
    expect(shown).not.toMatch(part);
    expect(shown).toContain('(redacted)');
  });

  it.each([
    ['of other words', "Cannot read properties of undefined (reading 'length')", [token]],
    [
      'with a word of a cookie',
      "Cannot read properties of undefined (reading 'response')",
      ['a=1; response=x; b=22222'],
    ],
    ['with the database of a secret URL', "Workflow definition 'x' was not found", ['postgres://app:pw1@db/workflow']],
    ['with the scheme of a header', "Scheme 'Bearer' is not supported", ['Bearer abc123def456']],
    ['with a word of an encrypted value', "Input 'order' is missing", ['Order desk 12']],
    ['with prose of an encrypted letter', 'Cannot read properties of undefined', ['the size of undefined orders']],
    ['with the scheme of a secret URL', 'fetch failed: https://other.example', ['https://hooks.internal/abc']],
    ['without secrets', messageOf(() => JSON.parse('not a secret')), []],
  ])('%s stays as it is', (_, text, secrets) => expect(masked(text, ...secrets)).toBe(text));

  it('names a secret that begins like its name', () => {
    const burst = new BurstSecrets();
    burst.name('stripe-live-1234', 'stripe');
    const text = "the value of the secret 'stripe'";
    expect(burst.maskError(text)).toBe(text);
  });

  it('is hidden as a whole where its letters have other lengths in small ones', () => {
    expect(masked(`İ sk-live-12`, token)).toBe('(redacted)');
  });

  it('is compared in time that grows with its length and with the secrets', () => {
    const secrets = Array.from({ length: 190 }, (_, i) => `${'ab'.repeat(4000)}${i}`);
    const began = process.cpuUsage();
    expect(masked(`x ${'ab'.repeat(50_000)} y`, ...secrets)).not.toContain('abab');
    expect(masked('"'.repeat(100_000), ...secrets)).not.toContain('abab');
    expect(masked(`${'a'.repeat(200_000)}sk-live-12`, token)).not.toContain('sk-live');
    const quotes = Array.from({ length: 20_000 }, (_, i) => `unexpected token: 'a${i % 10_000}'`).join(' ');
    expect(masked(quotes, 'ab'.repeat(900_000))).not.toContain("'a9999'");
    // Each character of the text with each of the secrets would be 150 billion looks.
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(2000);
  });

  it('is hidden as a whole where the secrets are too many to compare it with', () => {
    const secrets = Array.from({ length: 3 }, (_, i) => `${i}${'q'.repeat(1_000_000)}`);
    expect(masked('some text of an error', ...secrets)).toBe('(redacted)');
  });
});

@Activity({ type: 'Test.ParsesItsSecret' })
class ParsesItsSecret extends ActivityBase {
  @Input({ isSensitive: true, type: 'String' }) declare key: string;
  @Input({ type: 'Boolean' }) declare wrapped: boolean;
  execute(): unknown {
    try {
      return JSON.parse(this.key);
    } catch (error) {
      throw this.wrapped ? new Error('The key is invalid.', { cause: error }) : error;
    }
  }
}

it.each([false, true])('a fault of an activity shows no part of its sensitive input (wrapped: %s)', async (wrapped) => {
  const key = 'hunter2-and-something-longer-than-forty-characters';
  const { context, state } = await runWorkflow(act('Test.ParsesItsSecret', 'A', { key, wrapped }), {
    activities: [ParsesItsSecret],
  });
  const { log, records } = context.journal!.take();
  expect(state.incidents[0]!.message).toMatch(wrapped ? /invalid/ : /not valid JSON/);
  expect(JSON.stringify([state.incidents, log, records])).not.toContain('hunter');
});
