import http from 'node:http';
import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  type NestInterceptor,
  Post,
} from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  type ActivityJson,
  type VariableDefinition,
} from '@waymark/core';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  RUNTIME_OPTIONS,
  resolveRuntimeOptions,
  WorkflowPersistence,
  WorkflowRuntimeModule,
  type WorkflowRuntimeOptions,
} from '@waymark/runtime';
import { HTTP_OPTIONS, type HttpWorkflowsOptions, resolveHttpOptions } from '../../module/http-options.js';
import { httpParts, type HttpWorkflowsExtras } from '../../module/http-parts.js';

// ---------- definitions ----------

export const lit = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
export const obj = (value: unknown) => ({
  typeName: 'Object',
  expression: { type: 'Object', value: JSON.stringify(value) },
});
export const ref = (id: string) => ({ typeName: 'Object', expression: { type: 'Variable', value: { id } } });
export const act = (type: string, id: string, members: object = {}, start = false): ActivityJson => ({
  type,
  id,
  version: 1,
  customProperties: { canStartWorkflow: start },
  ...members,
});
export interface EndpointOptions {
  methods?: string[];
  start?: boolean;
  outputs?: Record<string, string>;
  [input: string]: unknown;
}
export const endpoint = (
  id: string,
  path: string,
  { methods = ['GET'], start = true, outputs = {}, ...inputs }: EndpointOptions = {},
) =>
  act(
    'Elsa.HttpEndpoint',
    id,
    {
      path: lit(path),
      supportedMethods: obj(methods),
      ...inputs,
      ...Object.fromEntries(
        Object.entries(outputs).map(([name, variable]) => [
          name,
          { typeName: 'Object', memoryReference: { id: variable } },
        ]),
      ),
    },
    start,
  );
export const respond = (id: string, content: unknown, more: object = {}) =>
  act('Elsa.WriteHttpResponse', id, {
    content: typeof content === 'object' ? content : lit(content, 'Object'),
    ...more,
  });
export const show = (variable: string) => respond('Show', ref(variable), { contentType: lit('application/json') });
export const fault = (id: string) => act('Elsa.Fault', id, { message: lit('boom') });
export const variable = (id: string, typeName = 'Object'): VariableDefinition => ({
  id,
  name: id,
  typeName,
  isArray: false,
  storageDriverTypeName: null,
});

@Activity({ namespace: 'Test' })
class WaitForEver extends ActivityBase {
  execute(ctx: ActivityExecutionContext) {
    return new Promise<void>((_resolve, reject) =>
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error)),
    );
  }
}

// ---------- applications ----------

class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: unknown }>();
    if (request.headers['x-user']) request.user = { name: request.headers['x-user'] };
    return request.headers['x-banned'] === undefined;
  }
}

export class CountingInterceptor implements NestInterceptor {
  static count = 0;
  intercept(_context: ExecutionContext, next: CallHandler) {
    CountingInterceptor.count++;
    return next.handle();
  }
}

@Controller('own')
class OwnController {
  @Get() own(): string {
    return 'own';
  }
  @Post() post(@Body() body: unknown): unknown {
    return { got: body };
  }
  @Get('flow') flow(): string {
    return 'unused';
  }
}

/** A Nest application with workflows on any adapter, and a client for it. */
export async function startApp(
  adapter: AbstractHttpAdapter,
  http: HttpWorkflowsOptions = {},
  extras: HttpWorkflowsExtras = {},
  runtime: WorkflowRuntimeOptions = { pollIntervalMs: 50 },
) {
  const { providers, controllers } = httpParts(extras);
  @Module({
    imports: [
      WorkflowRuntimeModule.compose({
        providers: [
          { provide: RUNTIME_OPTIONS, useValue: resolveRuntimeOptions(runtime) },
          { provide: HTTP_OPTIONS, useValue: resolveHttpOptions(http) },
          ...providers,
          WaitForEver,
        ],
      }),
    ],
    controllers: [...controllers, OwnController],
  })
  class App {}
  const app = await NestFactory.create(App, adapter, { logger: ['error'], abortOnError: false });
  app.useGlobalGuards(new HeaderGuard());
  app.useGlobalInterceptors(new CountingInterceptor());
  app.enableCors({ origin: 'https://example.org' });
  await app.listen(0, '127.0.0.1');
  const port = (app.getHttpServer().address() as { port: number }).port;
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const persistence = app.get(WorkflowPersistence);
  let counter = 0;
  return {
    app,
    publisher,
    persistence,
    runtime: app.get(IWorkflowRuntime),
    /** Publishes a sequence of activities. */
    async publish(
      activities: ActivityJson[],
      variables: VariableDefinition[] = [],
      more: object = {},
    ): Promise<string> {
      const definitionId = `workflow-${++counter}`;
      const result = await publisher.saveAndPublish({
        definitionId,
        name: definitionId,
        variables,
        root: act('Elsa.Sequence', 'Root', { activities }),
        ...more,
      });
      if (!result.succeeded) throw new Error(result.problems.map((p) => p.message).join(' · '));
      return definitionId;
    },
    call: (method: string, path: string, options: CallOptions = {}) => call(port, method, path, options),
    async instances(definitionId: string) {
      return (await persistence.instances.findMany({ definitionIds: [definitionId] })).items;
    },
  };
}

interface CallOptions {
  headers?: Record<string, string>;
  body?: string | Buffer;
  chunked?: boolean;
}

/** An answer; `json` is what tests look into freely. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- as its comment says
  readonly json: any;
}

function call(port: number, method: string, path: string, { headers = {}, body, chunked }: CallOptions) {
  return new Promise<TestAnswer>((resolve, reject) => {
    const all: Record<string, string> = { ...headers };
    if (body !== undefined && !chunked) all['Content-Length'] = String(Buffer.byteLength(body));
    const request = http.request({ port, host: '127.0.0.1', method, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          get json() {
            return JSON.parse(text) as unknown;
          },
        });
      });
    });
    request.on('error', reject);
    if (body !== undefined && chunked) request.write(body);
    request.end(chunked ? undefined : body);
  });
}

export const multipart = (parts: { name: string; filename?: string; type?: string; data: string }[]) => {
  const boundary = 'XboundaryX';
  const lines = parts.flatMap(({ name, filename, type, data }) => [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${filename ? `; filename="${filename}"` : ''}`,
    ...(type ? [`Content-Type: ${type}`] : []),
    '',
    data,
  ]);
  return {
    body: [...lines, `--${boundary}--`, ''].join('\r\n'),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
};

export type TestServer = Awaited<ReturnType<typeof startApp>>;

/** Publishes a workflow that answers with the content it got. */
export const publishEcho = (server: TestServer, path: string, more: EndpointOptions = {}, type = 'Object') =>
  server.publish(
    [
      endpoint('In', path, { methods: ['GET', 'POST'], outputs: { parsedContent: 'Content' }, ...more }),
      show('Content'),
    ],
    [variable('Content', type)],
  );
