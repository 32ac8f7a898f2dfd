import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  type INestApplication,
  Get,
  Module,
  type ModuleMetadata,
  type NestApplicationOptions,
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
  WorkflowPersistence,
  type WorkflowRuntimeOptions,
} from '@waymark/runtime';
import { RUNTIME_OPTIONS, resolveRuntimeOptions, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { act, call, type CallOptions, endpoint, type EndpointOptions, show, variable } from './endpoint-definitions.js';
import { HTTP_OPTIONS, type HttpWorkflowsOptions, resolveHttpOptions } from '../../module/http-options.js';
import { httpParts, type HttpWorkflowsExtras } from '../../module/http-parts.js';
import { WorkflowEndpoints } from '../workflow-endpoints.js';
import { WorkflowRoutes } from '../workflow-routes.js';

export {
  act,
  call,
  type CallOptions,
  endpoint,
  type EndpointOptions,
  fault,
  lit,
  multipart,
  obj,
  ref,
  respond,
  show,
  type TestAnswer,
  variable,
} from './endpoint-definitions.js';

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
  { imports = [], providers: own = [] }: Pick<ModuleMetadata, 'imports' | 'providers'> = {},
  more: NestApplicationOptions = {},
  prepare: (app: INestApplication) => void = () => undefined,
) {
  const { providers, controllers, exports } = httpParts(extras);
  @Module({
    imports: [
      ...imports,
      WorkflowRuntimeModule.compose({
        providers: [
          { provide: RUNTIME_OPTIONS, useValue: resolveRuntimeOptions(runtime) },
          { provide: HTTP_OPTIONS, useValue: resolveHttpOptions(http) },
          ...providers,
          WaitForEver,
        ],
        exports: [...exports, WorkflowEndpoints, WorkflowRoutes],
      }),
    ],
    controllers: [...controllers, OwnController],
    providers: own,
  })
  class App {}
  const app = await NestFactory.create(App, adapter, { logger: ['error'], abortOnError: false, ...more });
  app.useGlobalGuards(new HeaderGuard());
  app.useGlobalInterceptors(new CountingInterceptor());
  if (more.cors === undefined) app.enableCors({ origin: 'https://example.org' });
  prepare(app);
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
      if (!result.succeeded) {
        const refusal = new Error(result.problems.map((p) => p.message).join(' · '));
        throw Object.assign(refusal, { problems: result.problems });
      }
      return definitionId;
    },
    call: (method: string, path: string, options: CallOptions = {}) => call(port, method, path, options),
    async instances(definitionId: string) {
      return (await persistence.instances.findMany({ definitionIds: [definitionId] })).items;
    },
  };
}

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
