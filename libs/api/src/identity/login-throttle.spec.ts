import { isWaymarkError } from '@waymark/core';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer } from '../module/api-harness.spec.js';
import { resolveApiOptions } from '../module/api-options.js';
import { LoginThrottle } from './login-throttle.js';

const MINUTE_MS = 60_000;

function throttled() {
  const throttle = new LoginThrottle({ accountFailures: 3, addressFailures: 10 });
  let now = 1_000_000;
  /** Seconds to wait, 0 when the attempt is let through and fails. */
  const guess = (subject: string | undefined, address?: string): number => {
    try {
      throttle.require({ subject, address }, now);
    } catch (error) {
      if (!isWaymarkError(error, 'WM8011')) throw error;
      return (error as unknown as { retryAfterSeconds: number }).retryAfterSeconds;
    }
    throttle.failed({ subject, address }, now);
    return 0;
  };
  return { throttle, guess, pass: (ms: number) => (now += ms) };
}

describe('LoginThrottle', () => {
  it('lets a user mistype, then waits twice as long each time, up to a minute', () => {
    const { guess, pass } = throttled();
    expect([guess('ann'), guess('ann'), guess('ann')]).toEqual([0, 0, 0]);
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      waits.push(guess('ann'));
      pass(waits.at(-1)! * 1000);
      guess('ann');
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(guess('bob')).toBe(0);
  });

  it('counts the failures of an address for all users together', () => {
    const { guess } = throttled();
    for (let i = 0; i < 10; i++) expect(guess(`user ${i}`, '10.0.0.1')).toBe(0);
    expect([guess('ann', '10.0.0.1'), guess('ann', '10.0.0.2')]).toEqual([1, 0]);
  });

  it('counts the addresses of one IPv6 network as one', () => {
    const { guess } = throttled();
    for (let i = 0; i < 10; i++) guess(undefined, `2001:db8::${i}`);
    expect([guess(undefined, '2001:db8:0:0:1::7'), guess(undefined, '2001:db8:0:1::7')]).toEqual([1, 0]);
    expect(guess(undefined, '::ffff:10.0.0.1')).toBe(0);
  });

  it('forgets after a quarter of an hour, and when the user logs in', () => {
    const { guess, pass, throttle } = throttled();
    for (let i = 0; i < 3; i++) guess('ann');
    throttle.succeeded({ subject: 'ann', address: undefined });
    expect([guess('ann'), guess('ann'), guess('ann'), guess('ann')]).toEqual([0, 0, 0, 1]);
    pass(15 * MINUTE_MS);
    expect([guess('ann'), guess('ann')]).toEqual([0, 0]);
  });

  it('does not lock a user out of an address where that user logged in before', () => {
    const { guess, throttle } = throttled();
    throttle.succeeded({ subject: 'ann', address: '10.0.0.1' });
    for (let i = 0; i < 3; i++) guess('ann', '10.0.0.9');
    expect([guess('ann', '10.0.0.9'), guess('ann', '10.0.0.1')]).toEqual([1, 0]);
  });

  it('keeps a bounded number of names and addresses', () => {
    const { guess, throttle } = throttled();
    for (let i = 0; i < 12_000; i++) guess(`user ${i}`, `10.${i >> 8}.${i & 255}.1`);
    const { bySubject, byAddress } = throttle as unknown as Record<string, Map<string, unknown>>;
    expect([bySubject!.size, byAddress!.size]).toEqual([10_000, 10_000]);
  });

  it.each([{ accountFailures: 0 }, { addressFailures: 1.5 }])('refuses invalid limits: %j', (loginLimits) =>
    expect(() => resolveApiOptions({ authentication: { loginLimits } })).toThrow(/loginLimits/),
  );
});

describe.each(pairsOf(ADAPTERS, 'express'))('guessing on %s', (adapter) => {
  const start = (loginLimits?: false) =>
    ApiServer.start(adapter, {
      authentication: { users: [{ name: 'ann', password: 'secret' }], apiKeys: ['right'], loginLimits },
    });
  const login = async (api: ApiServer, password: string) =>
    (await api.call('POST', '/identity/login', { username: 'ann', password })).status;

  it('too many wrong passwords are answered 429 with the time to wait, then the right one as well', async () => {
    const api = await start();
    for (let i = 0; i < 5; i++) expect(await login(api, `guess ${i}`)).toBe(200);
    const reply = await api.call('POST', '/identity/login', { username: 'ann', password: 'secret' });
    expect([reply.status, reply.headers.get('retry-after'), reply.json.code]).toEqual([429, '1', 'WM8011']);
    await api.close();
  });

  it('wrong API keys are slowed down by address; a key used there before keeps working', async () => {
    const api = await start();
    const ask = async (key: string) =>
      (await api.call('GET', '/workflow-definitions', undefined, { authorization: `ApiKey ${key}` })).status;
    expect(await ask('right')).toBe(200);
    for (let i = 0; i < 50; i++) expect(await ask(`wrong ${i}`)).toBe(401);
    expect([await ask('wrong'), await ask('right'), await login(api, 'secret')]).toEqual([429, 200, 429]);
    await api.close();
  });

  it('is not slowed down if the host switches that off', async () => {
    const api = await start(false);
    for (let i = 0; i < 10; i++) expect(await login(api, `guess ${i}`)).toBe(200);
    await api.close();
  });
});
