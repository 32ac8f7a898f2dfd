import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LIMIT_VARIABLES } from './host-limits.js';
import { type HostSettings, readSettings, SettingsError } from './host-settings.js';

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
      strictConversions: false,
      timerPollMs: undefined,
      deployment: undefined,
      missingCodeAlarmMs: undefined,
      auditRetentionMs: undefined,
      deadLetterRetentionMs: undefined,
      respondAsync: false,
      idempotencyKeys: false,
      secretsDirectory: undefined,
      trustProxy: false,
      limits: { http: {}, api: {}, logins: {}, runtime: {}, javascript: {}, liquid: {}, persistence: {} },
      outgoing: { addresses: 'public', allow: [] },
      hasEncryptionKeys: false,
      testClock: false,
    });
  });

  it('refuses any other host without a key, and takes it with one', () => {
    expect(() => readSettings({ HOST: '0.0.0.0' })).toThrow(/WAYMARK_API_KEY/);
    expect(readSettings({ HOST: '0.0.0.0', WAYMARK_API_KEY: 'k' }).host).toBe('0.0.0.0');
    expect(readSettings({ HOST: '0.0.0.0', WAYMARK_USERS: 'ann:secret' }).host).toBe('0.0.0.0');
  });

  it('accepts logins of the users in WAYMARK_USERS, or else of admin with the key', () => {
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

  it('keeps requests of workflows from its own network, except to allowed addresses', () => {
    expect(readSettings({ WAYMARK_OUTGOING: 'any' }).outgoing.addresses).toBe('any');
    expect(readSettings({ WAYMARK_OUTGOING_ALLOW: ' reports.internal, 10.1.0.0/16 ' }).outgoing).toEqual({
      addresses: 'public',
      allow: ['reports.internal', '10.1.0.0/16'],
    });
    expect(() => readSettings({ WAYMARK_OUTGOING: 'none' })).toThrow(/WAYMARK_OUTGOING/);
    expect(() => readSettings({ WAYMARK_OUTGOING_ALLOW: 'http://x' })).toThrow(/WAYMARK_OUTGOING_ALLOW/);
  });

  it('uses an existing directory of secrets', () => {
    const WAYMARK_SECRETS_DIR = import.meta.dirname;
    expect(readSettings({ WAYMARK_SECRETS_DIR }).secretsDirectory).toBe(WAYMARK_SECRETS_DIR);
  });

  it('converts strictly when it is set', () => {
    expect(readSettings({ WAYMARK_STRICT_CONVERSIONS: '1' }).strictConversions).toBe(true);
  });

  it('enables deferred answers and idempotency keys by their settings', () => {
    const settings = readSettings({ WAYMARK_HTTP_RESPOND_ASYNC: '1', WAYMARK_HTTP_IDEMPOTENCY_KEYS: '1' });
    expect(settings).toMatchObject({ respondAsync: true, idempotencyKeys: true });
    expect(() => readSettings({ WAYMARK_HTTP_RESPOND_ASYNC: 'yes' })).toThrow(/WAYMARK_HTTP_RESPOND_ASYNC is 1/);
  });

  it('reads how often timers of other nodes are asked for', () => {
    expect(readSettings({ WAYMARK_TIMER_POLL_MS: '250' }).timerPollMs).toBe(250);
  });

  it.each<[string, HostSettings['deployment']]>([
    [' 42 ', { id: 'deployment 42', order: 42 }],
    ['v1.4.2:42', { id: 'v1.4.2', order: 42 }],
    ['sha256:ab12 : 0', { id: 'sha256:ab12', order: 0 }],
    [' ', undefined],
  ])('reads the deployment: "%s"', (text, deployment) => {
    expect(readSettings({ WAYMARK_DEPLOYMENT: text }).deployment).toEqual(deployment);
  });

  it('reads when work without code raises an alarm', () => {
    expect(readSettings({ WAYMARK_MISSING_CODE_ALARM_MS: '5000' }).missingCodeAlarmMs).toBe(5000);
    expect(readSettings({ WAYMARK_AUDIT_DAYS: '365' }).auditRetentionMs).toBe(365 * 24 * 3_600_000);
    expect(readSettings({ WAYMARK_DEAD_LETTER_DAYS: '14' }).deadLetterRetentionMs).toBe(14 * 24 * 3_600_000);
  });

  it.each<[string, HostSettings['trustProxy']]>([
    ['', false],
    ['0', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8,fd00::/8 , ::1', 'loopback,10.0.0.0/8,fd00::/8,::1'],
  ])('trusts proxies: "%s"', (text, trusted) => {
    expect(readSettings({ WAYMARK_TRUST_PROXY: text }).trustProxy).toBe(trusted);
  });

  describe('limits', () => {
    const all = Object.entries(LIMIT_VARIABLES).flatMap(([group, options]) =>
      Object.entries(options).map(([option, [name, from, to]]) => ({ group, option, name, from, to })),
    );
    const read = (name: string, value: unknown) => readSettings({ [name]: String(value) }).limits;

    it.each(all)('$name is $group.$option, from $from to $to', ({ group, option, name, from, to }) => {
      expect(read(name, from)).toMatchObject({ [group]: { [option]: from } });
      expect(read(name, ` ${to} `)).toMatchObject({ [group]: { [option]: to } });
      for (const wrong of [from - 1, to + 1, `${from}.5`, '1e3', 'many', '-1', '0x10'])
        expect(() => read(name, wrong)).toThrow(`${name} must be a whole number from ${from} to ${to}, not "${wrong}"`);
    });

    it('limits are in the documentation, each with its option', () => {
      const page = readFileSync(path.join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
      const options = { api: '', logins: 'authentication.loginLimits.', runtime: '', persistence: '' };
      for (const { group, option, name } of all) {
        const row = page.split('\n').find((line) => line.includes(`\`${name}\``));
        expect([name, row]).toEqual([
          name,
          expect.stringContaining(`${options[group as 'api'] ?? `${group}.`}${option}\``),
        ]);
      }
    });
  });

  it.each([
    [{ PORT: 'abc' }, /PORT must be a number/],
    [{ PORT: '70000' }, /PORT must be a number/],
    [{ DATABASE_URL: 'oracle://x' }, /mysql:\/\/, mariadb:\/\/, postgres:\/\/ or sqlite:/],
    [{ REDIS_URL: 'http://x' }, /REDIS_URL/],
    [{ DATABASE_URL: 'sqlite:' }, /does not name a file/],
    [{ WAYMARK_PUBLIC_URL: 'flows.example.com' }, /WAYMARK_PUBLIC_URL must be/],
    [{ WAYMARK_URL_TOKEN_KEY: 'short' }, /at least 32 characters/],
    [{ WAYMARK_SIGNING_KEY: 'short' }, /WAYMARK_SIGNING_KEY needs at least 32 characters/],
    [
      { WAYMARK_SECRETS_DIR: '/nonexistent' },
      /WAYMARK_SECRETS_DIR must name a directory .* "\/nonexistent" \(ENOENT\)/,
    ],
    [{ WAYMARK_SECRETS_DIR: import.meta.filename }, /WAYMARK_SECRETS_DIR must name a directory .*\(ENOTDIR\)/],
    [{ WAYMARK_USERS: 'ann' }, /WAYMARK_USERS is a list/],
    [{ WAYMARK_USERS: 'ann:x,ann:y' }, /"ann" twice/],
    [{ WAYMARK_USERS: '[{"name":"ann"}]' }, /WAYMARK_USERS as JSON/],
    [{ WAYMARK_USERS: '[nonsense' }, /WAYMARK_USERS as JSON/],
    [{ WAYMARK_FLOWCHART: 'both' }, /'counter' or 'token'/],
    [{ WAYMARK_TIMER_POLL_MS: '0' }, /WAYMARK_TIMER_POLL_MS must be a number of milliseconds/],
    [{ WAYMARK_AUDIT_DAYS: '0.5' }, /WAYMARK_AUDIT_DAYS must be a whole number of days from 1/],
    [{ WAYMARK_MISSING_CODE_ALARM_MS: 'soon' }, /WAYMARK_MISSING_CODE_ALARM_MS must be a number of milliseconds/],
    [{ WAYMARK_DEPLOYMENT: 'v1.4.2' }, /WAYMARK_DEPLOYMENT is the order .* not "v1.4.2"/],
    [{ WAYMARK_DEPLOYMENT: ':7' }, /WAYMARK_DEPLOYMENT/],
    [{ WAYMARK_DEPLOYMENT: '9007199254740993' }, /WAYMARK_DEPLOYMENT/],
    [{ WAYMARK_TEST_CLOCK: 'yes' }, /is 1 or not set/],
    [{ WAYMARK_STRICT_CONVERSIONS: 'yes' }, /WAYMARK_STRICT_CONVERSIONS is 1 or not set/],
    [{ WAYMARK_SHUTDOWN_SECONDS: 'soon' }, /WAYMARK_SHUTDOWN_SECONDS must be a number of seconds/],
    [{ WAYMARK_SHUTDOWN_SECONDS: '0' }, /WAYMARK_SHUTDOWN_SECONDS must be a number of seconds/],
    [{ WAYMARK_TRUST_PROXY: 'true' }, /WAYMARK_TRUST_PROXY is how many proxies/],
    [{ WAYMARK_TRUST_PROXY: '17' }, /WAYMARK_TRUST_PROXY/],
    [{ WAYMARK_TRUST_PROXY: '10.0.0.1,proxy.example.com' }, /WAYMARK_TRUST_PROXY/],
    [{ WAYMARK_TRUST_PROXY: '10.0.0.0/33' }, /WAYMARK_TRUST_PROXY/],
    [{ WAYMARK_HTTP_BODY_BYTES: '1000', WAYMARK_HTTP_DEFAULT_BODY_BYTES: '1001' }, /DEFAULT_BODY_BYTES=1001 is more/],
  ])('says what is wrong with %j', (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });

  it.each([
    { DATABASE_URL: 'Server=db;Port=3306;User Id=root;Password=hunter2' },
    { DATABASE_URL: 'hunter2@db:5432/waymark' },
    { DATABASE_URL: 'root:hunter2@db/waymark' },
    { DATABASE_URL: 'oracle://root:hunter2@db/waymark' },
    { DATABASE_URL: ' postgres://root:hunter2@db/waymark' },
    { REDIS_URL: 'http://root:hunter2@cache' },
    { WAYMARK_PUBLIC_URL: 'https://root:hunter2@flows.example.com:port' },
    { WAYMARK_PUBLIC_URL: 'root:hunter2@flows.example.com' },
    { WAYMARK_PUBLIC_URL: 'https://root:hunter2@flows.example.com' },
    { WAYMARK_PUBLIC_URL: 'https://root:hun/ter2@flows.example.com?token=hunter2' },
    { WAYMARK_TRUST_PROXY: 'https://root:hunter2@proxy' },
    { WAYMARK_OUTGOING: 'http://root:hunter2@proxy' },
    { WAYMARK_OUTGOING_ALLOW: 'http://root:hunter2@proxy' },
    { WAYMARK_DEPLOYMENT: 'https://root:hunter2@registry/image' },
    { WAYMARK_SECRETS_DIR: 'https://root:hunter2@vault' },
    { PORT: 'tcp://root:hunter2@10.0.0.1:80' },
    { WAYMARK_SHUTDOWN_SECONDS: 'root:hunter2@host' },
    { WAYMARK_HTTP_BODY_BYTES: 'root:hunter2@host' },
  ])('shows no password of %j', (env) => {
    expect(() => readSettings(env)).toThrow(SettingsError);
    expect(() => readSettings(env)).not.toThrow(/hunter2/);
  });
});
