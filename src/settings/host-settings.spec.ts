import { describe, expect, it } from '@jest/globals';
import { readSettings } from './host-settings.js';

describe('host settings', () => {
  it('binds to loopback with a SQLite file by default', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: 'sqlite:data/waymark.db',
      redisUrl: undefined,
      apiKey: undefined,
      publicUrl: undefined,
      users: [],
      signingKey: undefined,
      urlTokenKey: undefined,
      shutdownTimeoutMs: 30_000,
      flowchartMode: 'counter',
      timerPollMs: undefined,
      secretsDirectory: undefined,
      hasEncryptionKeys: false,
      testClock: false,
    });
  });

  it('refuses any other host without a key, and takes it with one', () => {
    expect(() => readSettings({ HOST: '0.0.0.0' })).toThrow(/WAYMARK_API_KEY/);
    expect(readSettings({ HOST: '0.0.0.0', WAYMARK_API_KEY: 'k' }).host).toBe('0.0.0.0');
    expect(readSettings({ HOST: '0.0.0.0', WAYMARK_USERS: 'ann:secret' }).host).toBe('0.0.0.0');
  });

  it('lets those log in whom WAYMARK_USERS names, or else admin with the key', () => {
    expect(readSettings({ WAYMARK_API_KEY: 'k' }).users).toEqual([
      { name: 'admin', password: 'k', roles: ['Administrator'] },
    ]);
    expect(readSettings({ WAYMARK_API_KEY: 'k', WAYMARK_USERS: 'ann: a:b ,bob:c' }).users).toEqual([
      { name: 'ann', password: 'a:b' },
      { name: 'bob', password: 'c' },
    ]);
    const reader = { name: 'eve', password: 'x,y', permissions: ['read:*'], roles: ['reader'] };
    expect(readSettings({ WAYMARK_USERS: JSON.stringify([reader]) }).users).toEqual([reader]);
  });

  it('reads how often timers of other nodes are asked for', () => {
    expect(readSettings({ WAYMARK_TIMER_POLL_MS: '250' }).timerPollMs).toBe(250);
  });

  it.each([
    [{ PORT: 'abc' }, /PORT must be a number/],
    [{ PORT: '70000' }, /PORT must be a number/],
    [{ DATABASE_URL: 'oracle://x' }, /mysql:\/\/, mariadb:\/\/, postgres:\/\/ or sqlite:/],
    [{ REDIS_URL: 'http://x' }, /REDIS_URL/],
    [{ DATABASE_URL: 'sqlite:' }, /names no file/],
    [{ WAYMARK_PUBLIC_URL: 'flows.example.com' }, /WAYMARK_PUBLIC_URL must be/],
    [{ WAYMARK_URL_TOKEN_KEY: 'short' }, /at least 32 characters/],
    [{ WAYMARK_SIGNING_KEY: 'short' }, /WAYMARK_SIGNING_KEY needs at least 32 characters/],
    [{ WAYMARK_USERS: 'ann' }, /WAYMARK_USERS is a list/],
    [{ WAYMARK_USERS: 'ann:x,ann:y' }, /"ann" twice/],
    [{ WAYMARK_USERS: '[{"name":"ann"}]' }, /WAYMARK_USERS as JSON/],
    [{ WAYMARK_USERS: '[nonsense' }, /WAYMARK_USERS as JSON/],
    [{ WAYMARK_FLOWCHART: 'both' }, /'counter' or 'token'/],
    [{ WAYMARK_TIMER_POLL_MS: '0' }, /WAYMARK_TIMER_POLL_MS must be a number of milliseconds/],
    [{ WAYMARK_TEST_CLOCK: 'yes' }, /is 1 or not set/],
    [{ WAYMARK_SHUTDOWN_SECONDS: 'soon' }, /WAYMARK_SHUTDOWN_SECONDS must be a number of seconds/],
    [{ WAYMARK_SHUTDOWN_SECONDS: '0' }, /WAYMARK_SHUTDOWN_SECONDS must be a number of seconds/],
  ])('says what is wrong with %j', (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });
});
