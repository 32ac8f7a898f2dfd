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
import { TurnClock } from './turn-clock.js';

export interface HostileNodeSettings {
  readonly adapter: 'express' | 'fastify';
}

/** `watch` begins to look at the event loop; `stall` ends it and answers the longest turn, in milliseconds of the processor. */
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
const endpoint = (route: string): ActivityJson => ({
  type: 'Elsa.HttpEndpoint',
  id: 'Endpoint',
  version: 1,
  customProperties: { canStartWorkflow: true },
  path: literal(route),
  supportedMethods: object(['POST']),
  parsedContent: toBody,
  files: { typeName: 'Object', memoryReference: { id: 'Files' } },
});

async function publish(route: string, ...rest: ActivityJson[]): Promise<void> {
  const { succeeded, problems } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({
    definitionId: route,
    variables: ['Body', 'Files'].map((id) => ({
      id,
      name: id,
      typeName: 'Object',
      isArray: false,
      storageDriverTypeName: 'Elsa.Workflows.WorkflowInstanceStorageDriver',
    })),
    root: { type: 'Elsa.Sequence', id: 'Root', version: 1, activities: [endpoint(route), ...rest] },
  });
  if (!succeeded) throw new Error(JSON.stringify(problems));
}

// The one answers what it gets, the other keeps it in its state and waits.
await publish('echo', {
  type: 'Elsa.WriteHttpResponse',
  id: 'Answer',
  version: 1,
  content: { typeName: 'Object', expression: { type: 'Variable', value: { id: 'Body' } } },
  contentType: literal('application/json'),
});
await publish('keep', { type: 'Elsa.Event', id: 'Wait', version: 1, eventName: literal('never') });

const url = await app.getUrl();
const clock = new TurnClock();

process.on('message', ({ id, command }: { id: number; command: HostileNodeCommand }) => {
  if (command.do === 'watch') clock.start();
  process.send!({ id, answer: command.do === 'stall' ? clock.stop() : url });
});
process.send!({ ready: true });
