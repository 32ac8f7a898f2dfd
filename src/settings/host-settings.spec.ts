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
      urlTokenKey: undefined,
      flowchartMode: 'counter',
      testClock: false,
    });
  });

  it('refuses any other host without a key, and takes it with one', () => {
    expect(() => readSettings({ HOST: '0.0.0.0' })).toThrow(/WAYMARK_API_KEY/);
    expect(readSettings({ HOST: '0.0.0.0', WAYMARK_API_KEY: 'k' }).host).toBe('0.0.0.0');
  });

  it.each([
    [{ PORT: 'abc' }, /PORT must be a number/],
    [{ PORT: '70000' }, /PORT must be a number/],
    [{ DATABASE_URL: 'oracle://x' }, /mysql:\/\/, postgres:\/\/ or sqlite:/],
    [{ REDIS_URL: 'http://x' }, /REDIS_URL/],
    [{ WAYMARK_URL_TOKEN_KEY: 'short' }, /at least 32 characters/],
    [{ WAYMARK_FLOWCHART: 'both' }, /'counter' or 'token'/],
  ])('says what is wrong with %j', (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });
});
