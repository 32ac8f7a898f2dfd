import { type INestApplication, Module, type ModuleMetadata } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import type { ActivityJson, VariableDefinition } from '@waymark/core';
import { IWorkflowDefinitionPublisher, WorkflowModule, type WorkflowModuleOptions } from '@waymark/nestjs';
import { WorkflowPersistence } from '@waymark/runtime';
import { act, call, type CallOptions } from '../../libs/http/src/serving/testing/endpoint-definitions.js';

export interface WholeSettings extends WorkflowModuleOptions {
  /** Modules of the application, in their order; `workflows` stands for those of Waymark. */
  readonly modules?: (workflows: NonNullable<ModuleMetadata['imports']>) => NonNullable<ModuleMetadata['imports']>;
  readonly controllers?: ModuleMetadata['controllers'];
  /** Further modules of Waymark, such as the API. */
  readonly also?: NonNullable<ModuleMetadata['imports']>;
  readonly providers?: ModuleMetadata['providers'];
  readonly rawBody?: boolean;
  /** If false, the adapter's own parsers are left out. */
  readonly bodyParser?: boolean;
  /** Before the application listens. */
  readonly configure?: (app: INestApplication) => void;
}

/** An application as a user makes it, all of Waymark in it, on a real socket. */
export async function startWhole(adapter: AbstractHttpAdapter, settings: WholeSettings = {}) {
  const {
    modules = (all) => all,
    controllers = [],
    also = [],
    providers = [],
    rawBody,
    bodyParser,
    configure,
    ...options
  } = settings;
  @Module({
    imports: modules([WorkflowModule.forRoot({ pollIntervalMs: 50, ...options }), ...also]),
    controllers,
    providers,
  })
  class App {}
  const app = await NestFactory.create(App, adapter, {
    logger: false,
    abortOnError: false,
    ...(rawBody !== undefined && { rawBody }),
    ...(bodyParser !== undefined && { bodyParser }),
  });
  configure?.(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  const publisher = app.get(IWorkflowDefinitionPublisher);
  let counter = 0;
  return {
    app,
    port,
    persistence: app.get(WorkflowPersistence),
    /** Publishes a sequence of activities. */
    async publish(activities: ActivityJson[], variables: VariableDefinition[] = []): Promise<string> {
      const definitionId = `workflow-${++counter}`;
      const root = act('Elsa.Sequence', 'Root', { activities });
      const { succeeded, problems } = await publisher.saveAndPublish({
        definitionId,
        name: definitionId,
        variables,
        root,
      });
      if (!succeeded) throw new Error(problems.map(({ message }) => message).join(' · '));
      return definitionId;
    },
    call: (method: string, path: string, given: CallOptions = {}) => call(port, method, path, given),
    close: () => app.close(),
  };
}

export type WholeApplication = Awaited<ReturnType<typeof startWhole>>;
