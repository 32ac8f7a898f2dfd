import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { IBookmarkResumer, IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';
import { WorkflowTestBed } from '@waymark/testing';
import { Approval, ApprovalWorkflow, Decisions } from '../cjs-nest11/src/approval.js';

@Module({ imports: [WorkflowModule.forRoot()], providers: [Approval, ApprovalWorkflow, Decisions] })
class AppModule {}

/** Globals of Jest and of Vitest; `Decisions` is injected by the type of a parameter, which needs the metadata of decorators. */
declare function it(title: string, body: () => Promise<void>): void;
declare function expect(value: unknown): { toEqual(expected: unknown): void };

it('waits for the decision', async () => {
  const bed = await WorkflowTestBed.init(Test.createTestingModule({ imports: [AppModule] }));
  const client = await bed.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'approval' });
  await bed.get(IBookmarkResumer).resume(Approval, { request: 'holiday' }, { input: { approved: true } });
  await bed.waitForStatus(client.workflowInstanceId, 'Finished');
  expect(bed.get(Decisions).made).toEqual(['holiday: asked', 'holiday: approved']);
  await bed.close();
});
