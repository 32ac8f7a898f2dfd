import { Body, Controller, type INestApplication, Post, RequestMethod, VersioningType } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WorkflowApiModule } from '@waymark/api';
import { endpoint, respond, show, variable } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { sampleOf } from '../support/depth.js';
import { pairsOf } from '../support/pairs.js';
import { startWhole, type WholeApplication } from './whole-application.js';

// Where the API and workflows are found, and what they answer there, whatever an application does to its own paths.

@Controller('own')
class Own {
  @Post() post(@Body() body: unknown): unknown {
    return { got: body ?? 'nothing' };
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const KEY = { Authorization: 'ApiKey right' };
const LARGE = 3_000_000;
/** Every which case a quick run takes. */
const SHARE = 4;

type Prefix = Parameters<INestApplication['setGlobalPrefix']>;
type Versions = Parameters<INestApplication['enableVersioning']>[0];

interface Paths {
  readonly prefix?: Prefix;
  readonly versions?: Versions;
  readonly api: string;
  readonly workflows: string;
  readonly own: string;
}

const inUri = (more: object = {}): Versions => ({ type: VersioningType.URI, defaultVersion: '1', ...more });
const here = { api: '/elsa/api', workflows: '/workflows' };
const all = RequestMethod.ALL;

const CASES: [name: string, paths: Paths][] = [
  ['versions in paths', { ...here, versions: inUri(), own: '/v1/own' }],
  ['several default versions', { ...here, versions: inUri({ defaultVersion: ['1', '2'] }), own: '/v2/own' }],
  ['versions with a prefix of their own', { ...here, versions: inUri({ prefix: 'version-' }), own: '/version-1/own' }],
  ['versions without a prefix', { ...here, versions: inUri({ prefix: false }), own: '/1/own' }],
  ['versions in a header', { ...here, versions: { type: VersioningType.HEADER, header: 'X-V' }, own: '/own' }],
  [
    'versions in the media type',
    { ...here, versions: { type: VersioningType.MEDIA_TYPE, key: 'v=', defaultVersion: '1' }, own: '/own' },
  ],
  [
    'versions of its own making',
    { ...here, versions: { type: VersioningType.CUSTOM, extractor: () => '1', defaultVersion: '1' }, own: '/own' },
  ],
  [
    'a prefix and versions',
    {
      prefix: ['app'],
      versions: inUri(),
      api: '/app/elsa/api',
      workflows: '/app/workflows',
      own: '/app/v1/own',
    },
  ],
  ['a prefix with slashes', { prefix: ['/app/'], api: '/app/elsa/api', workflows: '/app/workflows', own: '/app/own' }],
  [
    'a prefix that leaves out the API',
    {
      prefix: ['app', { exclude: ['elsa/api/{*path}'] }],
      api: '/elsa/api',
      workflows: '/app/workflows',
      own: '/app/own',
    },
  ],
  [
    'a prefix that leaves out the API, with a slash before it',
    {
      prefix: ['app', { exclude: ['/elsa/api/*path'] }],
      api: '/elsa/api',
      workflows: '/app/workflows',
      own: '/app/own',
    },
  ],
  [
    'a prefix that leaves out workflows',
    {
      prefix: ['app', { exclude: ['workflows', 'workflows/{*path}'] }],
      api: '/app/elsa/api',
      workflows: '/workflows',
      own: '/app/own',
    },
  ],
  [
    'a prefix that leaves out the API, verb by verb, in versions',
    {
      prefix: ['app', { exclude: [{ path: 'elsa/api/{*path}', method: all }] }],
      versions: inUri(),
      api: '/elsa/api',
      workflows: '/app/workflows',
      own: '/app/v1/own',
    },
  ],
  [
    'a prefix that leaves out both in the old notation',
    { prefix: ['app', { exclude: ['elsa/api/(.*)', 'workflows/(.*)'] }], ...here, own: '/app/own' },
  ],
  [
    'a prefix that leaves out the verbs of the API',
    {
      prefix: [
        'app',
        {
          exclude: [RequestMethod.GET, RequestMethod.POST, RequestMethod.PUT, RequestMethod.DELETE].map((method) => ({
            path: 'elsa/api/{*path}',
            method,
          })),
        },
      ],
      api: '/elsa/api',
      workflows: '/app/workflows',
      own: '/app/own',
    },
  ],
];

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('an application with (%p)', (Adapter) => {
  describe.each(sampleOf(CASES, SHARE))('%s', (_, { prefix, versions, api, workflows, own }) => {
    let server: WholeApplication;
    beforeAll(async () => {
      server = await startWhole(new Adapter(), {
        also: [WorkflowApiModule.forRoot({ authentication: { apiKeys: ['right'] } })],
        controllers: [Own],
        configure: (app) => {
          if (prefix) app.setGlobalPrefix(...prefix);
          if (versions) app.enableVersioning(versions);
        },
      });
      await server.publish(
        [endpoint('In', 'flow', { methods: ['POST'], outputs: { parsedContent: 'Content' } }), show('Content')],
        [variable('Content')],
      );
      await server.publish([endpoint('Get', 'plain'), respond('Out', 'plain')]);
    });
    afterAll(() => server.close());
    const send = (method: string, path: string, body?: string, more: Record<string, string> = KEY) =>
      server.call(method, path, { ...(body !== undefined && { body }), headers: { ...JSON_TYPE, ...more } });

    it('serves the API, with its 404 and 405 answers', async () => {
      expect((await send('GET', `${api}/package/version`)).status).toBe(200);
      expect((await send('GET', `${api}/package/version`, undefined, {})).status).toBe(200);
      expect((await send('GET', `${api}/workflow-definitions`)).status).toBe(200);
      for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
        const wrong = await send(method, `${api}/package/version`);
        expect([method, wrong.status, wrong.headers.allow, wrong.json.code]).toEqual([method, 405, 'GET', 'WM8003']);
      }
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH']) {
        const none = await send(method, `${api}/none`);
        expect([method, none.status, none.json.code]).toEqual([method, 404, 'WM8003']);
      }
    });

    it('serves the hub beside the API', async () => {
      const hub = `${prefix ? '/app' : ''}/elsa/hubs/workflow-instance`;
      const negotiated = await send('POST', `${hub}/negotiate?negotiateVersion=1`, '');
      expect([negotiated.status, negotiated.json]).toEqual([200, expect.objectContaining({ negotiateVersion: 1 })]);
      const poll = `${hub}?id=${negotiated.json.connectionToken}`;
      expect((await send('GET', poll)).status).toBe(200);
      expect((await send('POST', poll, '{"protocol":"json","version":1}\u001e')).status).toBe(200);
      expect((await send('DELETE', poll)).status).toBe(202);
    });

    it('leaves bodies of the API to it', async () => {
      const path = `${api}/workflow-definitions`;
      const large = JSON.stringify({ model: { definitionId: 'large', description: 'x'.repeat(LARGE) } });
      expect((await send('POST', path, large)).status).toBe(200);
      expect((await send('POST', path, '{ nope', { Authorization: 'ApiKey wrong' })).status).toBe(401);
      const malformed = await send('POST', path, '{ nope');
      expect([malformed.status, malformed.json.errors]).toEqual([400, { serializerErrors: expect.any(Array) }]);
      const large404 = await send('POST', `${api}/none`, large);
      expect([large404.status, large404.json.code]).toEqual([404, 'WM8003']);
    });

    it('serves workflows, with their bodies', async () => {
      expect((await send('GET', `${workflows}/plain`)).text).toBe('plain');
      const taken = await send('POST', `${workflows}/flow`, '{"a":1}');
      expect([taken.status, taken.json]).toEqual([200, { a: 1 }]);
      const large = await send('POST', `${workflows}/flow`, JSON.stringify('x'.repeat(LARGE)));
      expect(large.status).toBe(200);
      const malformed = await send('POST', `${workflows}/flow`, '{"a":');
      expect([malformed.status, malformed.json.code]).toEqual([400, 'WM5006']);
      expect((await send('POST', `${workflows}/none`, '{')).json.code).toBe('WM5007');
    });

    it('keeps its own paths', async () => {
      const taken = await send(
        'POST',
        own,
        '{"a":1}',
        versions?.type === VersioningType.MEDIA_TYPE ? { Accept: 'x/y;v=1' } : {},
      );
      expect([taken.status, taken.json]).toEqual([201, { got: { a: 1 } }]);
    });
  });
});
