// What features of NestJS do to workflows and the API, on NestJS 11 and both adapters: the table of that name in
// docs/activities/http.md. All of its rows, on NestJS 12: test/e2e/features-of-nest.spec.ts, own-application.spec.ts and
// versions-and-prefixes.spec.ts.
import assert from 'node:assert/strict';
import {
  type ArgumentsHost,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpException,
  type INestApplication,
  Module,
  type NestInterceptor,
  Post,
  type Type,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory, RouterModule } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { API_EXPOSED_HEADERS, API_METHODS, WorkflowApiModule } from '@waymark/api';
import { IWorkflowDefinitionPublisher, WorkflowModule } from '@waymark/nestjs';
import { map, type Observable } from 'rxjs';

const ORIGIN = 'https://app.example';

@Controller('workflows')
class OwnWorkflows {
  @Post('own') post(@Body() body: unknown): unknown {
    return { got: body };
  }
}

@Controller('elsa/api')
class OwnApi {
  @Post('own') post(@Body() body: unknown): unknown {
    return { got: body };
  }
}

@Controller()
class Everywhere {
  @Get('*') page(): unknown {
    return 'page';
  }
}

@Module({ controllers: [OwnWorkflows, OwnApi] })
class OwnModule {}
@Module({ controllers: [Everywhere] })
class PageModule {}

/** Refuses what says so, and keeps the body that a signature would be checked with. */
class Guard implements CanActivate {
  rawBody: string | undefined;

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, unknown>; rawBody?: Buffer }>();
    this.rawBody = request.rawBody?.toString();
    if (request.headers['x-refuse']) throw new ForbiddenException('not you');
    return true;
  }
}

class Wrapping implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((answer: unknown) => ({ wrapped: answer })));
  }
}

@Catch(HttpException)
class OwnWords implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<{ status(code: number): { send(body: object): void } }>();
    response.status(error.getStatus()).send({ own: error.message });
  }
}

const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });

/** Answers with the content of the request. */
const ECHO = {
  definitionId: 'echo',
  variables: [{ id: 'Content', name: 'Content', typeName: 'Object', isArray: false }],
  root: {
    id: 'Steps',
    type: 'Elsa.Sequence',
    activities: [
      {
        id: 'In',
        type: 'Elsa.HttpEndpoint',
        customProperties: { canStartWorkflow: true },
        path: literal('echo'),
        supportedMethods: { typeName: 'List<String>', expression: { type: 'Object', value: '["POST"]' } },
        parsedContent: { typeName: 'Object', memoryReference: { id: 'Content' } },
      },
      {
        id: 'Out',
        type: 'Elsa.WriteHttpResponse',
        content: { typeName: 'Object', expression: { type: 'Variable', value: { id: 'Content' } } },
        contentType: literal('application/json'),
      },
    ],
  },
};

interface Settings {
  readonly also?: readonly (Type | DynamicModule)[];
  readonly rawBody?: boolean;
  readonly bodyParser?: boolean;
  readonly configure?: (app: INestApplication) => void;
}

async function start(adapter: AbstractHttpAdapter, { also = [], configure, ...options }: Settings) {
  @Module({ imports: [WorkflowModule.forRoot(), WorkflowApiModule.forRoot({ allowAnonymous: true }), ...also] })
  class AppModule {}
  const app = await NestFactory.create(AppModule, adapter, { logger: false, abortOnError: false, ...options });
  configure?.(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const { problems } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish(ECHO as never);
  assert.deepEqual(problems, []);
  /** The status, and what was answered: as JSON where it is some. */
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init: RequestInit = { method, headers: { 'Content-Type': 'application/json', ...headers } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(url + path, init);
    const text = await response.text();
    const answer: unknown = /^[[{]/.test(text) ? JSON.parse(text) : text;
    return { answer: [response.status, answer], headers: response.headers };
  };
  return { app, call };
}

async function wholeApplication(adapter: AbstractHttpAdapter): Promise<void> {
  const guard = new Guard();
  const passed: string[] = [];
  const { app, call } = await start(adapter, {
    also: [OwnModule, PageModule],
    rawBody: true,
    configure: (created) => {
      created.use((request: { url: string }, _response: unknown, next: () => void) => {
        passed.push(request.url);
        next();
      });
      created.enableCors({ origin: ORIGIN, methods: API_METHODS, exposedHeaders: API_EXPOSED_HEADERS });
      created.useGlobalGuards(guard);
      created.useGlobalInterceptors(new Wrapping());
      created.useGlobalFilters(new OwnWords());
      created.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
    },
  });

  // Workflows and the API answer as ever, whatever pipes and interceptors make of it.
  assert.deepEqual((await call('POST', '/workflows/echo', { a: 'b' })).answer, [200, { a: 'b' }]);
  assert.equal(guard.rawBody, '{"a":"b"}');
  const model = { ...ECHO, definitionId: 'saved', variables: [], root: { id: 'S', type: 'Elsa.Sequence' } };
  assert.equal((await call('POST', '/elsa/api/workflow-definitions', { model })).answer[0], 200);
  const [, found] = (await call('GET', '/elsa/api/workflow-definitions/saved')).answer;
  assert.equal((found as { definitionId: string }).definitionId, 'saved');

  // The application's own routes win below both paths, with their bodies; a page for every path comes last.
  for (const path of ['/workflows/own', '/elsa/api/own'])
    assert.deepEqual((await call('POST', path, { x: 1 })).answer, [201, { wrapped: { got: { x: 1 } } }]);
  assert.deepEqual((await call('GET', '/anything')).answer, [200, { wrapped: 'page' }]);
  assert.equal((await call('DELETE', '/elsa/api/package/version')).answer[0], 405);

  // Filters answer for guards before workflows, and not in the API.
  const refusing = { 'X-Refuse': '1' };
  assert.deepEqual((await call('POST', '/workflows/echo', {}, refusing)).answer, [403, { own: 'not you' }]);
  assert.deepEqual((await call('GET', '/elsa/api/workflow-definitions', undefined, refusing)).answer, [403, '']);

  passed.length = 0;
  for (const path of ['/workflows/echo', '/elsa/api/workflow-definitions']) {
    const asking = { Origin: ORIGIN, 'Access-Control-Request-Method': 'DELETE' };
    const { answer, headers } = await call('OPTIONS', path, undefined, asking);
    assert.deepEqual([answer[0], headers.get('access-control-allow-origin')], [204, ORIGIN]);
    assert.match(headers.get('access-control-allow-methods')!, /DELETE/);
    await call('POST', path, {});
  }
  // How often depends on whether the adapter answers preflights first.
  assert.deepEqual([...new Set(passed)], ['/workflows/echo', '/elsa/api/workflow-definitions']);
  await app.close();
}

/** Bodies are read by Waymark, also where the application leaves parsers out. */
async function withoutParsers(adapter: AbstractHttpAdapter): Promise<void> {
  const { app, call } = await start(adapter, { bodyParser: false });
  assert.deepEqual((await call('POST', '/workflows/echo', { a: 'b' })).answer, [200, { a: 'b' }]);
  await app.close();
}

async function prefixedAndVersioned(adapter: AbstractHttpAdapter): Promise<void> {
  const { app, call } = await start(adapter, {
    also: [OwnModule],
    configure: (created) => {
      created.setGlobalPrefix('app', { exclude: ['elsa/api/{*path}'] });
      created.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    },
  });
  assert.deepEqual((await call('POST', '/app/workflows/echo', { a: 1 })).answer, [200, { a: 1 }]);
  assert.equal((await call('POST', '/workflows/echo', {})).answer[0], 404);
  assert.equal((await call('GET', '/elsa/api/package/version')).answer[0], 200);
  assert.equal((await call('GET', '/elsa/api/none')).answer[0], 404);
  assert.equal((await call('DELETE', '/elsa/api/package/version')).answer[0], 405);
  assert.deepEqual((await call('POST', '/app/v1/workflows/own', { x: 1 })).answer, [201, { got: { x: 1 } }]);
  await app.close();
}

async function movedByRouter(adapter: AbstractHttpAdapter): Promise<void> {
  const also = [RouterModule.register([{ path: 'app', children: [WorkflowModule] }])];
  await assert.rejects(start(adapter, { also }), { code: 'WM1093' });
}

export async function checkFeatures(): Promise<void> {
  for (const make of [() => new ExpressAdapter(), () => new FastifyAdapter()])
    for (const check of [wholeApplication, withoutParsers, prefixedAndVersioned, movedByRouter]) await check(make());
}
