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
import { AlterationSelections, BulkPlanWorker, OutboxProcessor } from '@waymark/runtime/adapter';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { CONVERTED_TYPES, PARSED_TYPES } from './conversion-corpus.js';
import { TEMPLATES } from './random-routes.js';
import { TurnClock } from './turn-clock.js';

export interface HostileNodeSettings {
  readonly adapter: 'express' | 'fastify';
  /** @default a file of SQLite of its own */
  readonly database?: { readonly url: string; readonly tablePrefix: string };
}

/**
 * `watch` begins to look at the event loop; `stall` ends it and answers with `Turns`; `settle` answers when no message waits
 * to be served.
 */
export type HostileNodeCommand = { readonly do: 'url' | 'watch' | 'settle' | 'stall' };

/** Lines that workflows have written. */
let lines = 0;

@Controller('health')
class HealthController {
  @Get('live')
  live() {
    return { status: 'ok', lines };
  }
}

const TYPES = [...CONVERTED_TYPES, ...PARSED_TYPES];
const { adapter, database } = JSON.parse(process.env.NODE_SETTINGS!) as HostileNodeSettings;
const ownFile = () => `sqlite:${path.join(mkdtempSync(path.join(tmpdir(), 'waymark-hostile-')), 'host.db')}`;
const { url: databaseUrl, ...databaseOptions } = database ?? { url: ownFile() };

@Module({
  imports: [
    WorkflowModule.forRoot({
      persistence: TypeOrmPersistence.fromUrl(databaseUrl, databaseOptions),
      writeLine: () => void lines++,
    }),
    WorkflowApiModule.forRoot({
      authentication: { users: [{ name: 'admin', password: 'secret' }], apiKeys: ['key'] },
    }),
  ],
  controllers: [HealthController],
})
class HostileModule {}

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
    variables: ['Body', 'Files', 'Text', ...TYPES].map((id) => ({
      id,
      name: id,
      typeName: id === 'Text' ? 'String' : TYPES.includes(id) ? id : 'Object',
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
const waitFor = (event: string): ActivityJson => ({
  type: 'Elsa.Event',
  id: 'Wait',
  version: 1,
  eventName: literal(event),
});
const wait = waitFor('never');
const script = (id: string, to: string, text: string): ActivityJson => ({
  type: 'Elsa.SetVariable',
  id,
  version: 1,
  variable: { id: to, name: to, typeName: 'Object' },
  value: { typeName: 'Object', expression: { type: 'JavaScript', value: text } },
});

// The first answers what it gets; the others keep it in their state and wait: as data, as text, and for nobody.
await publish('echo', endpoint('echo'), answerBody);
await publish('keep', endpoint('keep'), wait);
await publish(
  'text',
  endpoint('text', { parsedContent: { typeName: 'String', memoryReference: { id: 'Text' } } }),
  wait,
);
await publish('unbound', endpoint('unbound', {}), wait);
// Any number of them wait for one event: they go on, look at what they keep, or compute at length, and end.
await publish('hoard', endpoint('hoard'), waitFor('hoard'));
await publish('crowd', endpoint('crowd'), waitFor('crowd'), script('Look', 'Text', 'variables.Body.length'));
await publish(
  'thinkers',
  endpoint('thinkers'),
  waitFor('thinkers'),
  script('Think', 'Text', 'let n = 0; for (let i = 0; i < variables.Body; i++) n = (n * 31 + i) % 65521; n'),
);
// Many at once, each within its limits; and one that keeps the process long enough for what is sent behind it.
for (const [name, ms] of [
  ['busy', 100],
  ['brief', 40],
] as const) {
  const compute = `const began = Date.now(); let n = 0; while (Date.now() - began < ${ms}) n++; String(n)`;
  await publish(name, endpoint(name), {
    type: 'Elsa.WriteLine',
    id: 'Line',
    version: 1,
    text: { typeName: 'String', expression: { type: 'JavaScript', value: compute } },
  });
}
await publish('headers', endpoint('headers', { headers: toBody }), answerBody);
// Started by the API, some thousands at once: they end, or wait for an event and then end.
await publish('quick', script('Look', 'Text', '"x"'));
await publish('sleepers', waitFor('sleepers'));
await publish('each', endpoint('each'), {
  type: 'Elsa.ForEach',
  id: 'Each',
  version: 1,
  items: { typeName: 'Object', expression: { type: 'Variable', value: { id: 'Body' } } },
  body: {
    type: 'Elsa.SetVariable',
    id: 'Round',
    version: 1,
    variable: { id: 'Files', name: 'Files', typeName: 'Object' },
    value: literal('x', 'Object'),
  },
});
for (const type of TYPES) {
  const typed = { parsedContent: { typeName: type, memoryReference: { id: type } } };
  await publish(`to-${type}`, endpoint(`to-${type.toLowerCase()}`, typed), answerBody);
}
for (const [index, template] of TEMPLATES.entries())
  await publish(`route-${index}`, endpoint(template, { routeData: toBody }), answerBody);

const url = await app.getUrl();
const clock = new TurnClock();

async function settle(): Promise<void> {
  const outbox = app.get(OutboxProcessor);
  do {
    await app.get(BulkPlanWorker).settled();
    await app.get(AlterationSelections).settled();
    await outbox.settled();
  } while ((await outbox.poll()) > 0);
}

async function answerTo(command: HostileNodeCommand): Promise<unknown> {
  if (command.do === 'watch') clock.start();
  if (command.do === 'settle') await settle();
  return command.do === 'stall' ? clock.stop() : url;
}

process.on('message', ({ id, command }: { id: number; command: HostileNodeCommand }) => {
  void answerTo(command).then((value) => process.send!({ id, answer: value }));
});
// Whoever attacks it may fail half-way.
process.on('disconnect', () => process.exit());
process.send!({ ready: true });
