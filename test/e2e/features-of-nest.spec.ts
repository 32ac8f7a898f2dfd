import type { IncomingMessage } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  ForbiddenException,
  type ExecutionContext,
  HttpException,
  Injectable,
  type INestApplication,
  ValidationPipe,
} from '@nestjs/common';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { API_EXPOSED_HEADERS, API_METHODS, WorkflowApiModule } from '@waymark/api';
import { endpoint, show, variable } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { pairsOf } from '../support/pairs.js';
import { startWhole, type WholeApplication, type WholeSettings } from './whole-application.js';

// The rows of the table "What features of Nest do to workflows and the API" in docs/activities/http.md that no other spec has.

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Refuses what says so, as an application's guard may. */
@Injectable()
class Refusing {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
    if (headers['x-refuse']) throw new ForbiddenException('not you');
    return true;
  }
}

@Catch(HttpException)
class OwnWords implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<{ status(code: number): { send(body: object): void } }>();
    response.status(error.getStatus()).send({ own: error.message });
  }
}

/** Middleware of both adapters: it sees the bare request. */
const passed: string[] = [];
function note(request: { url: string }, _response: unknown, next: () => void): void {
  passed.push(request.url);
  next();
}

/** As body parsers are that an application puts before those of Nest. */
async function parsing(
  request: IncomingMessage & { body?: unknown },
  _response: unknown,
  next: () => void,
): Promise<void> {
  if (request.method === 'POST') request.body = await readJson(request);
  next();
}

const ADAPTERS = { Fastify: FastifyAdapter, Express: ExpressAdapter };

describe.each(pairsOf(['Fastify', 'Express'] as const, 'Express'))('what features of Nest do on %s', (name) => {
  let server: WholeApplication;
  const api = () => WorkflowApiModule.forRoot({ allowAnonymous: true });
  const isExpress = name === 'Express';
  const call = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    server.call(method, path, { headers: { ...JSON_TYPE, ...headers }, ...(body !== undefined && { body }) });

  async function publishEcho(): Promise<void> {
    await server.publish(
      [
        endpoint('In', 'echo', { methods: ['POST', 'OPTIONS'], outputs: { parsedContent: 'Content' } }),
        show('Content'),
      ],
      [variable('Content')],
    );
  }

  describe('that are set for the whole application', () => {
    beforeAll(async () => {
      server = await startWhole(new ADAPTERS[name](), {
        also: [api(), ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1000 }])],
        providers: [ThrottlerGuard],
        configure: (app: INestApplication) => {
          app.use(note);
          app.enableCors({ origin: 'https://app.example', methods: API_METHODS, exposedHeaders: API_EXPOSED_HEADERS });
          app.useGlobalGuards(new Refusing(), app.get(ThrottlerGuard));
          app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
          app.useGlobalFilters(new OwnWords());
        },
      });
      await publishEcho();
    });
    afterAll(() => server.close());

    it('a ValidationPipe changes neither bodies of workflows nor requests of the API', async () => {
      expect((await call('POST', '/workflows/echo', {}, '{"a":"b"}')).json).toEqual({ a: 'b' });
      const model = {
        definitionId: 'by-api',
        name: 'By API',
        root: { type: 'Elsa.Sequence', id: 'S', activities: [] },
      };
      const saved = await call('POST', '/elsa/api/workflow-definitions', {}, JSON.stringify({ model, publish: true }));
      expect([saved.status, saved.json.workflowDefinition.name]).toEqual([200, 'By API']);
      const found = await call('GET', '/elsa/api/workflow-definitions/by-definition-id/by-api');
      expect([found.status, found.json.definitionId]).toEqual([200, 'by-api']);
      expect((await call('GET', '/elsa/api/workflow-definitions?definitionIds=by-api')).json.totalCount).toBe(1);
    });

    it('exception filters answer for guards before workflows, and not in the API', async () => {
      const refused = await call('POST', '/workflows/echo', { 'X-Refuse': '1' }, '{}');
      expect([refused.status, refused.json]).toEqual([403, { own: 'not you' }]);
      const byApi = await call('GET', '/elsa/api/workflow-definitions', { 'X-Refuse': '1' });
      expect([byApi.status, byApi.text]).toEqual([403, '']);
    });

    it('CORS applies to both, with the verbs and headers that the API names', async () => {
      const origin = { Origin: 'https://app.example' };
      for (const path of ['/workflows/echo', '/elsa/api/workflow-definitions']) {
        const preflight = await call('OPTIONS', path, { ...origin, 'Access-Control-Request-Method': 'DELETE' });
        expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, origin.Origin]);
        expect(preflight.headers['access-control-allow-methods']).toContain('DELETE');
      }
      const answer = await call('POST', '/workflows/echo', origin, '{}');
      expect(answer.headers['access-control-allow-origin']).toBe(origin.Origin);
      for (const header of ['Location', 'Retry-After', 'Idempotent-Replayed', 'Preference-Applied'])
        expect(answer.headers['access-control-expose-headers']).toContain(header);
    });

    it('middleware runs before both, and a throttler counts both', async () => {
      passed.length = 0;
      const answers = [await call('POST', '/workflows/echo', {}, '{}'), await call('GET', '/elsa/api/package/version')];
      expect(passed).toEqual(['/workflows/echo', '/elsa/api/package/version']);
      for (const { status, headers } of answers) expect([status, headers['x-ratelimit-limit']]).toEqual([200, '1000']);
    });
  });

  const readers: [string, WholeSettings][] = [
    ['no parsers of Nest', { bodyParser: false }],
    [
      'parsers that take 100 bytes',
      {
        configure: (app) => {
          if (isExpress) (app as NestExpressApplication).useBodyParser('json', { limit: 100 });
          else (app as NestFastifyApplication).useBodyParser('application/json', { bodyLimit: 100 });
        },
      },
    ],
  ];
  if (isExpress) readers.push(['a parser of its own in front', { configure: (app) => void app.use(parsing) }]);

  it.each(readers)('bodies of workflows and API are read with %s', async (_, settings) => {
    server = await startWhole(new ADAPTERS[name](), { also: [api()], ...settings });
    await publishEcho();
    const body = JSON.stringify({ text: 'x'.repeat(1000) });
    expect((await call('POST', '/workflows/echo', {}, body)).json).toEqual(JSON.parse(body));
    const model = {
      definitionId: 'w',
      name: 'x'.repeat(200),
      root: { type: 'Elsa.Sequence', id: 'S', activities: [] },
    };
    expect((await call('POST', '/elsa/api/workflow-definitions', {}, JSON.stringify({ model }))).json).toMatchObject({
      workflowDefinition: { definitionId: 'w' },
    });
    await server.close();
  });
});
