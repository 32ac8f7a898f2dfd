import { expect, it } from '@jest/globals';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('schedules over %s', (adapter) => {
  const { call } = useServer(adapter);

  it.each([
    ['GET', ''],
    ['GET', '/waiting'],
    ['POST', '/some-id/fire'],
  ])('schedules say that the application has no scheduling: %s %s', async (method, path) => {
    const { status, json } = await call(method, `/schedules${path}`);
    expect([status, json.code]).toEqual([501, 'WM4034']);
  });
});
