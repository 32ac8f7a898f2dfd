import 'reflect-metadata';
import type { ModuleMetadata, Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WorkflowModule, type WorkflowModuleOptions } from '@waymark/nestjs';
import { type DefinitionDraft, IWorkflowDefinitionPublisher, type LoadedDefinition } from '@waymark/runtime';

class Application {}

/** An application of workflows only, on Fastify, initialised. */
export async function openApplication(
  options: WorkflowModuleOptions,
  providers: Provider[] = [],
  { imports = [], controllers = [] }: Pick<ModuleMetadata, 'imports' | 'controllers'> = {},
): Promise<NestFastifyApplication> {
  const root = {
    module: Application,
    imports: [WorkflowModule.forRoot(options), ...imports],
    providers,
    controllers,
  };
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  return app.init() as Promise<NestFastifyApplication>;
}

/** @throws when the definition has a problem */
export async function publish(app: NestFastifyApplication, draft: DefinitionDraft): Promise<LoadedDefinition> {
  const { succeeded, definition, problems } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish(draft);
  if (!succeeded) throw new Error(`${draft.definitionId} cannot be published: ${JSON.stringify(problems)}`);
  return definition;
}
