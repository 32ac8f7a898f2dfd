import 'reflect-metadata';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import type { INestApplication, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { WorkflowModule } from '@waymark/nestjs';
import { WorkflowPersistence } from '@waymark/runtime';
import { WorkflowTestBed } from '@waymark/testing';
import { codeBlocks, writeBlocks } from './code-blocks.js';

const folder = writeBlocks(codeBlocks().filter(({ page }) => page === 'index'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Desk {
  approve(purchaseId: string, by: string): Promise<void>;
}

it('the page approves one of two purchases', async () => {
  const { Purchase } = (await import(path.join(folder, 'index/purchase.workflow.ts'))) as { Purchase: Type };
  const { Approvals } = (await import(path.join(folder, 'index/approvals.ts'))) as { Approvals: Type<Desk> };
  const imports = [WorkflowModule.forRoot()];
  const prepared = Test.createTestingModule({ imports, providers: [Purchase, Approvals] });
  const app: INestApplication = (await WorkflowTestBed.prepare(prepared).compile()).createNestApplication();
  await app.listen(0, '127.0.0.1');
  const bed = await WorkflowTestBed.of(app);
  for (const id of ['p1', 'p2']) {
    const body = JSON.stringify({ id, item: `item ${id}` });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${await app.getUrl()}/workflows/purchases`, { method: 'POST', headers, body });
    expect(answer.status).toBe(202);
  }
  await app.get(Approvals).approve('p2', 'mia');
  await bed.runToIdle();
  const { items } = await app.get(WorkflowPersistence).instances.findMany({});
  const standing = items.map(({ correlationId, subStatus }) => [correlationId, subStatus]);
  expect(Object.fromEntries(standing)).toEqual({ p1: 'Suspended', p2: 'Finished' });
  await bed.close();
});
