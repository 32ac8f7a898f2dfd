// An application as strangers meet it, in a process of its own: the API with a user, endpoints, a health check.
import 'reflect-metadata';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WorkflowApiModule } from '@waymark/api';
import type { ActivityJson } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { TEMPLATES } from './random-routes.js';
import { TurnClock } from './turn-clock.js';

export interface HostileNodeSettings {
  readonly adapter: 'express' | 'fastify';
}

/** `watch` begins to look at the event loop; `stall` ends it and answers with `Turns`. */
export type HostileNodeCommand = { readonly do: 'url' | 'watch' | 'stall' };

@Controller('health')
class HealthController {
  @Get('live')
  live() {
    return { status: 'ok' };
  }
}

const file = path.join(mkdtempSync(path.join(tmpdir(), 'waymark-hostile-')), 'host.db');

@Module({
  imports: [
    WorkflowModule.forRoot({
      persistence: TypeOrmPersistence.fromUrl(`sqlite:${file}`),
      writeLine: () => undefined,
    }),
    WorkflowApiModule.forRoot({
      authentication: { users: [{ name: 'admin', password: 'secret' }], apiKeys: ['key'] },
    }),
  ],
  controllers: [HealthController],
})
class HostileModule {}

const { adapter } = JSON.parse(process.env.NODE_SETTINGS!) as HostileNodeSettings;
const app = await NestFactory.create<INestApplication>(
  HostileModule,
  adapter === 'fastify' ? new FastifyAdapter() : new ExpressAdapter(),
  { logger: false },
);
await app.listen(0, '127.0.0.1');

const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const object = (value: unknown) => ({
  typeName: 'Object',
  expression: { type: 'Object', value: JSON.stringify(value) },
});
const toBody = { typeName: 'Object', memoryReference: { id: 'Body' } };
const bound = { parsedContent: toBody, files: { typeName: 'Object', memoryReference: { id: 'Files' } } };
const endpoint = (route: string, outputs: object = bound): ActivityJson => ({
  type: 'Elsa.HttpEndpoint',
  id: 'Endpoint',
  version: 1,
  customProperties: { canStartWorkflow: true },
  path: literal(route),
  supportedMethods: object(['GET', 'POST', 'PUT', 'DELETE', 'HEAD']),
  ...outputs,
});

async function publish(definitionId: string, start: ActivityJson, ...rest: ActivityJson[]): Promise<void> {
  const { succeeded, problems } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({
    definitionId,
    variables: ['Body', 'Files', 'Text'].map((id) => ({
      id,
      name: id,
      typeName: id === 'Text' ? 'String' : 'Object',
      isArray: false,
      storageDriverTypeName: 'Elsa.Workflows.WorkflowInstanceStorageDriver',
    })),
    root: { type: 'Elsa.Sequence', id: 'Root', version: 1, activities: [start, ...rest] },
  });
  if (!succeeded) throw new Error(JSON.stringify(problems));
}

const answer = (expression: object, contentType: string): ActivityJson => ({
  type: 'Elsa.WriteHttpResponse',
  id: 'Answer',
  version: 1,
  content: { typeName: 'Object', expression },
  contentType: literal(contentType),
});
const answerBody = answer({ type: 'Variable', value: { id: 'Body' } }, 'application/json');
const wait: ActivityJson = { type: 'Elsa.Event', id: 'Wait', version: 1, eventName: literal('never') };

// The first answers what it gets; the others keep it in their state and wait: as data, as text, and for nobody.
await publish('echo', endpoint('echo'), answerBody);
await publish('keep', endpoint('keep'), wait);
await publish(
  'text',
  endpoint('text', { parsedContent: { typeName: 'String', memoryReference: { id: 'Text' } } }),
  wait,
);
await publish('unbound', endpoint('unbound', {}), wait);
await publish('headers', endpoint('headers', { headers: toBody }), answerBody);
for (const [index, template] of TEMPLATES.entries())
  await publish(`route-${index}`, endpoint(template, { routeData: toBody }), answerBody);

const url = await app.getUrl();
const clock = new TurnClock();

process.on('message', ({ id, command }: { id: number; command: HostileNodeCommand }) => {
  if (command.do === 'watch') clock.start();
  process.send!({ id, answer: command.do === 'stall' ? clock.stop() : url });
});
// Whoever attacks it may fail half-way.
process.on('disconnect', () => process.exit());
process.send!({ ready: true });
