import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { HTTP_OPTIONS } from '@waymark/http/adapter';
import { RUNTIME_OPTIONS } from '@waymark/runtime/adapter';
import { createHost } from '../../src/host.js';
import { LIMIT_VARIABLES } from '../../src/settings/host-limits.js';
import { readSettings } from '../../src/settings/host-settings.js';

const HOST_TEST_MS = 120_000;
const variables = Object.values(LIMIT_VARIABLES).flatMap((options) => Object.values(options));

describe('limits of the reference host, from its environment', () => {
  let folder: string;
  let app: NestFastifyApplication;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-limits-'));
  });
  afterEach(async () => {
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(env: Record<string, string>) {
    const settings = readSettings({
      DATABASE_URL: `sqlite:${path.join(folder, 'host.db')}`,
      WAYMARK_API_KEY: 'k',
      ...env,
    });
    app = await createHost(settings);
    app.useLogger(false);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return settings;
  }
  const login = (remoteAddress: string, forwardedFor?: string, password = 'wrong') =>
    app.inject({
      method: 'POST',
      url: '/elsa/api/identity/login',
      payload: { username: 'admin', password },
      remoteAddress,
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
    });

  it.each<[string, 1 | 2]>([
    ['least', 1],
    ['most', 2],
  ])(
    'limits of the reference host are taken by the libraries at their %s',
    async (_, end) => {
      const env = Object.fromEntries(variables.map((variable) => [variable[0], String(variable[end])]));
      // The samples of the host have more than one.
      if (end === 1) env.WAYMARK_MAX_ACTIVITIES = '20';
      // In one millisecond, the body of the request below may not have arrived: 408 instead of 413.
      if (end === 1) env.WAYMARK_API_BODY_TIMEOUT_MS = '60000';
      const { limits } = await start(env);
      expect(app.get(HTTP_OPTIONS)).toMatchObject(limits.http);
      expect(app.get(RUNTIME_OPTIONS)).toMatchObject(limits.runtime);
      const headers = { authorization: 'ApiKey k' };
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/elsa/api/alterations/dry-run',
        payload: {},
        headers,
      });
      expect(statusCode).toBe(end === 1 ? 413 : 200);
    },
    HOST_TEST_MS,
  );

  it(
    'limits of the reference host count wrong passwords by the address that a trusted proxy names, and by that of the client otherwise',
    async () => {
      const limited = { WAYMARK_LOGIN_ACCOUNT_FAILURES: '1000', WAYMARK_LOGIN_ADDRESS_FAILURES: '1' };
      await start({ ...limited, WAYMARK_TRUST_PROXY: '10.0.0.7' });
      const statuses = [];
      for (const [from, forwardedFor] of [
        ['10.0.0.7', '203.0.113.1'],
        ['10.0.0.7', '203.0.113.1'],
        ['10.0.0.7', '203.0.113.2'],
        // Not the proxy: what it says of itself does not count.
        ['198.51.100.1', '203.0.113.3'],
        ['198.51.100.1', '203.0.113.4'],
      ] as const)
        statuses.push((await login(from, forwardedFor)).statusCode);
      expect(statuses).toEqual([200, 429, 200, 200, 429]);
    },
    HOST_TEST_MS,
  );
});
