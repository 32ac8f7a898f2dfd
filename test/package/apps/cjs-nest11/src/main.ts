// A CommonJS application on NestJS 11 and Express: the packages come through `require`; a workflow suspends and is
// resumed, and features of NestJS do to workflows what the documentation says.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { WorkflowApiModule } from '@waymark/api';
import { IBookmarkResumer, IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';
import { StudioModule } from '@waymark/studio';
import { Approval, ApprovalWorkflow, Decisions } from './approval.js';
import { checkFeatures } from './features.js';

@Module({
  imports: [
    WorkflowModule.forRoot({ http: { basePath: '/workflows' } }),
    WorkflowApiModule.forRoot(),
    StudioModule.forRoot(),
  ],
  providers: [Approval, ApprovalWorkflow, Decisions],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
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
  await checkFeatures();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
