import { expect, it } from '@jest/globals';
import { createAdapter } from './host.js';
import { readSettings } from './settings/host-settings.js';

const arrivalOf = (environment: Record<string, string>): number => {
  const settings = readSettings({ DATABASE_URL: 'sqlite::memory:', ...environment });
  return createAdapter(settings).getHttpServer().requestTimeout;
};

it('ends requests that do not arrive, later than bodies that are read', () => {
  expect(arrivalOf({})).toBe(360_000);
  expect(arrivalOf({ WAYMARK_API_BODY_TIMEOUT_MS: '1000' })).toBe(360_000);
  expect(arrivalOf({ WAYMARK_API_BODY_TIMEOUT_MS: '600000' })).toBe(660_000);
  expect(arrivalOf({ WAYMARK_HTTP_BODY_TIMEOUT_MS: '900000' })).toBe(960_000);
});
