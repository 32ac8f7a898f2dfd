// An ES module application on NestJS 12 and Fastify: a workflow suspends and is resumed.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WorkflowApiModule } from '@waymark/api';
import { IBookmarkResumer, IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';
import { StudioModule } from '@waymark/studio';
import { Approval, ApprovalWorkflow, Decisions } from './approval.js';

@Module({
  imports: [
    WorkflowModule.forRoot({ http: { basePath: '/workflows' } }),
    WorkflowApiModule.forRoot(),
    StudioModule.forRoot(),
  ],
  providers: [Approval, ApprovalWorkflow, Decisions],
})
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
  logger: ['error', 'warn'],
  abortOnError: false,
});
await app.listen(0, '127.0.0.1');
const decisions = app.get(Decisions);

const client = await app.get(IWorkflowRuntime).createClient();
await client.createAndRunInstance({ definition: 'approval' });
assert.deepEqual(decisions.made, ['holiday: asked']);

await app.get(IBookmarkResumer).resume(Approval, { request: 'holiday' }, { input: { approved: true } });
assert.deepEqual(decisions.made, ['holiday: asked', 'holiday: approved']);

// The built pages are in the package.
const page = await (await fetch(`${await app.getUrl()}/studio`)).text();
const script = /src="(\/studio\/assets\/[^"]+\.js)"/.exec(page)![1]!;
assert.equal((await fetch((await app.getUrl()) + script)).status, 200);

await app.close();
