import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkflowModule } from '@waymark/nestjs';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  MemoryPersistence,
  WorkflowPersistence,
} from '@waymark/runtime';
import { ShiftedClock } from '@waymark/testing';
import { DueInStore } from './due-in-store.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let clock: ShiftedClock;
let app: INestApplicationContext;
let lines: string[];

beforeEach(async () => {
  clock = new ShiftedClock();
  lines = [];
  const start = clock.now();
  const writeLine = (text: string) => lines.push(`${text} at ${Math.round((clock.now() - start) / HOUR)} h`);
  @Module({
    imports: [WorkflowModule.forRoot({ persistence: new MemoryPersistence(), clock, pollIntervalMs: 5000, writeLine })],
    providers: [DueInStore],
  })
  class HostModule {}
  app = await NestFactory.createApplicationContext(HostModule, { logger: ['error'] });
});
afterEach(() => app.close());

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const delay = (id: string, timeSpan: string) => ({ type: 'Elsa.Delay', id, timeSpan: literal('TimeSpan', timeSpan) });
const line = (text: string) => ({ type: 'Elsa.WriteLine', id: `Say ${text}`, text: literal('String', text) });
const child = (definitionId: string) => ({
  type: 'Elsa.DispatchWorkflow',
  id: 'Child',
  workflowDefinitionId: literal('String', definitionId),
  waitForCompletion: literal('Boolean', true),
});
const deploy = async (definitionId: string, ...activities: { type: string; id: string }[]) => {
  const root = { type: 'Elsa.Sequence', id: 'S', activities };
  const { succeeded } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId, root });
  expect(succeeded).toBe(true);
};
const advance = (ms: number) => clock.advance(ms, app.get(DueInStore));

it('stops wherever something is due in the store, on a move of a month', async () => {
  await deploy('kid', delay('K', '10.00:00:00'), line('kid'));
  await deploy('parent', delay('P', '2.00:00:00'), child('kid'), line('parent'), delay('Q', '01:00:00'), line('end'));
  const client = await app.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'parent' });
  await advance(20 * DAY);
  expect(lines).toEqual([`kid at ${12 * 24} h`, `parent at ${12 * 24} h`, `end at ${12 * 24 + 1} h`]);
});

it('does the work of the rounds in between: expired rows are deleted', async () => {
  await deploy('short', line('short'));
  const client = await app.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'short' });
  await advance(31 * DAY);
  expect(await app.get(WorkflowPersistence).instances.count({})).toBe(0);
});
