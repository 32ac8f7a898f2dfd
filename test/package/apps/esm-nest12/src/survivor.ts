// Two processes on one database of SQLite: the first is killed while its workflow waits, the second lets it go on.
//
//   node dist/survivor.js start sqlite:file     prints "waiting" and stays
//   node dist/survivor.js resume sqlite:file    prints the driver and how the instance ended
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkflowApiModule } from '@waymark/api';
import { IBookmarkResumer, IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';
import { StudioModule } from '@waymark/studio';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { Approval, ApprovalWorkflow, Decisions } from './approval.js';

const [phase, url] = process.argv.slice(2) as [string, string];

@Module({
  imports: [
    WorkflowModule.forRoot({ persistence: TypeOrmPersistence.fromUrl(url) }),
    WorkflowApiModule.forRoot(),
    StudioModule.forRoot(),
  ],
  providers: [Approval, ApprovalWorkflow, Decisions],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'], abortOnError: false });
if (phase === 'start') {
  const client = await app.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'approval' });
  assert.deepEqual(app.get(Decisions).made, ['holiday: asked']);
  console.log('waiting');
  // Until it is killed; without a server nothing else keeps the process.
  setInterval(() => undefined, 60_000);
} else {
  const input = { approved: true };
  const [resumed] = await app.get(IBookmarkResumer).resume(Approval, { request: 'holiday' }, { input });
  assert.equal(resumed?.subStatus, 'Finished');
  assert.deepEqual(app.get(Decisions).made, ['holiday: approved']);
  const again = await app.get(IBookmarkResumer).resume(Approval, { request: 'holiday' }, { input });
  assert.deepEqual(again, []);
  await app.close();
  console.log('finished');
}
