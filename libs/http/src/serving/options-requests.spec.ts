import type { IncomingHttpHeaders } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import { endpoint, respond, startApp, type TestServer } from './testing/http-test-app.js';

const ORIGIN = 'https://example.org';

const isPreflight = ({ origin, 'access-control-request-method': method }: IncomingHttpHeaders): boolean =>
  origin !== undefined && method !== undefined;

/** As docs/recipes.md says; each adapter takes its own of the two options. */
const preflightsOnly = (
  { headers }: { readonly headers: IncomingHttpHeaders },
  done: (error: null, options: object) => void,
): void => done(null, { origin: ORIGIN, preflight: isPreflight(headers), preflightContinue: !isPreflight(headers) });

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('OPTIONS requests (%p)', (Adapter) => {
  let server: TestServer;
  const start = async (cors: typeof preflightsOnly | undefined) => {
    server = await startApp(new Adapter(), {}, {}, undefined, {}, cors === undefined ? {} : { cors: cors as never });
    await server.publish([
      endpoint('In', 'things', { methods: ['OPTIONS', 'PUT'] }),
      respond('Out', 'by the workflow'),
    ]);
  };
  const ask = (headers: Record<string, string> = {}) => server.call('OPTIONS', '/workflows/things', { headers });
  afterEach(() => server.app.close());

  it('OPTIONS requests reach the workflow that declares the method where CORS answers preflights only', async () => {
    await start(preflightsOnly);
    const plain = await ask();
    expect([plain.status, plain.text]).toEqual([200, 'by the workflow']);
    // Of a page, after its preflight.
    const ofPage = await ask({ Origin: ORIGIN });
    expect([ofPage.text, ofPage.headers['access-control-allow-origin']]).toEqual(['by the workflow', ORIGIN]);
    const preflight = await ask({ Origin: ORIGIN, 'Access-Control-Request-Method': 'PUT' });
    expect([preflight.status, preflight.text, preflight.headers['access-control-allow-origin']]).toEqual([
      204,
      '',
      ORIGIN,
    ]);
  });

  it('OPTIONS requests are all answered by the CORS of an adapter that is left as it is', async () => {
    await start(undefined);
    expect((await ask()).text).not.toBe('by the workflow');
  });
});
