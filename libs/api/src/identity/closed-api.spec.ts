import { Logger } from '@nestjs/common';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer } from '../module/api-harness.spec.js';
import { resolveApiOptions, type WorkflowApiOptions } from '../module/api-options.js';

const CLOSED: readonly (readonly [what: string, options: WorkflowApiOptions])[] = [
  ['nothing', {}],
  ['allowAnonymous: false', { allowAnonymous: false }],
];

describe.each(pairsOf(ADAPTERS, 'fastify'))('the management API on %s', (adapter) => {
  let server: ApiServer | undefined;
  let warn: jest.SpiedFunction<Logger['warn']>;
  const warnings = () => warn.mock.calls.map(([text]) => String(text)).filter((text) => /management API/.test(text));

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    warn.mockRestore();
  });

  const statuses = async (headers: Record<string, string> = {}) => {
    const all = [];
    for (const [verb, path, body] of [
      ['GET', '/workflow-definitions'],
      ['POST', '/workflow-definitions', { model: { definitionId: 'x' } }],
      ['DELETE', '/workflow-instances/none'],
    ] as const)
      all.push((await server!.call(verb, path, body, headers)).status);
    return all;
  };

  it.each(CLOSED)('is closed when it is given %s, and says so at the start', async (_, options) => {
    server = await ApiServer.startWith(adapter, options);
    expect(await statuses()).toEqual([403, 403, 403]);
    expect(await statuses({ authorization: 'ApiKey ' })).toEqual([403, 403, 403]);
    expect(warnings()).toEqual([expect.stringMatching(/closed.*'authentication'.*'allowAnonymous: true'/)]);
    // What never asked for a login.
    expect((await server.call('GET', '/package/version')).status).toBe(200);
    expect((await server.call('GET', '/bookmarks/resume?t=none')).status).toBe(400);
  });

  it('is open to all callers with allowAnonymous', async () => {
    server = await ApiServer.startWith(adapter, { allowAnonymous: true });
    expect((await statuses()).slice(0, 2)).toEqual([200, 200]);
    expect(warnings()).toEqual([]);
  });

  it('is open to callers with a key', async () => {
    server = await ApiServer.startWith(adapter, { authentication: { apiKeys: ['right'] } });
    expect(await statuses()).toEqual([401, 401, 401]);
    expect((await statuses({ authorization: 'ApiKey right' })).slice(0, 2)).toEqual([200, 200]);
    expect(warnings()).toEqual([]);
  });
});

test('authentication and allowAnonymous together are refused', () => {
  const options = { allowAnonymous: true, authentication: { apiKeys: ['right'] } };
  expect(() => resolveApiOptions(options)).toThrow("'allowAnonymous'");
});
