import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WorkflowModule } from '@waymark/nestjs';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { literal, sequence } from '../support/runtime-node.js';

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(
    WorkflowModule.forRoot({ writeLine: () => undefined }),
    new FastifyAdapter(),
    { logger: false },
  );
  await app.init();
});
afterAll(() => app.close());

it('a validated draft learns which definition has its endpoint already', async () => {
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const endpoint = {
    type: 'Elsa.HttpEndpoint',
    id: 'In',
    path: literal('orders'),
    customProperties: { canStartWorkflow: true },
  };
  const root = sequence('Root', endpoint);
  expect(await publisher.validate({ definitionId: 'one', root })).toEqual([]);
  expect((await publisher.saveAndPublish({ definitionId: 'one', root })).problems).toEqual([]);
  expect(await publisher.validate({ definitionId: 'one', root })).toEqual([]);
  const problems = await publisher.validate({ definitionId: 'two', root });
  expect(problems).toEqual([
    { message: expect.stringMatching(/already in use by another workflow! It is "one"/), activityId: 'In' },
  ]);
});
