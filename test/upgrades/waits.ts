import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Activity, ActivityBase, type ActivityJson } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import {
  IEventPublisher,
  ITaskReporter,
  IWorkflowDefinitionPublisher,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  RuntimeGate,
  WorkflowPersistence,
  type StoredBookmark,
} from '@waymark/runtime';

import { VirtualClock, WorkflowTestBed } from '@waymark/testing';
import { line, literal, sequence, waitFor } from '../support/runtime-node.js';

/** When the fixtures were written, by their clock. */
export const WRITTEN_AT = '2026-01-01T00:00:00Z';

/** Whether work comes to an end: not while a fixture is written, whose process ends in the middle of it. */
@Injectable()
export class WorkGate {
  isOpen = true;
  readonly begun = new EventEmitter();

  open(): void {
    this.isOpen = true;
    this.begun.emit('opened');
  }

  async pass(name: string): Promise<void> {
    this.begun.emit(name);
    if (!this.isOpen) await once(this.begun, 'opened');
  }
}

@Injectable()
@Activity({ namespace: 'Fixture', kind: 'Job' })
class Job extends ActivityBase {
  constructor(private readonly gate: WorkGate) {
    super();
  }
  async execute(): Promise<void> {
    await this.gate.pass('job');
  }
}

@Injectable()
@Activity({ namespace: 'Fixture' })
class Stop extends ActivityBase {
  constructor(private readonly gate: WorkGate) {
    super();
  }
  async execute(): Promise<void> {
    await this.gate.pass('stop');
  }
}

const timed = (
  type: string,
  id: string,
  input: string,
  value: string,
  typeName: string,
  starts = false,
): ActivityJson => ({
  type,
  id,
  [input]: literal(value, typeName),
  customProperties: { canStartWorkflow: starts },
});

/** One workflow for each kind of wait: it writes a line when it continues. */
const WAITS: Readonly<Record<string, { readonly wait: ActivityJson; readonly more?: Record<string, unknown> }>> = {
  delay: { wait: timed('Elsa.Delay', 'Wait', 'timeSpan', '01:00:00', 'TimeSpan') },
  cron: { wait: timed('Elsa.Cron', 'Wait', 'cronExpression', '30 * * * *', 'String') },
  event: { wait: waitFor('Wait', 'fixture-go') },
  http: {
    wait: {
      type: 'Elsa.HttpEndpoint',
      id: 'Wait',
      path: literal('fixture-wait'),
      supportedMethods: { typeName: 'Object', expression: { type: 'Object', value: '["GET"]' } },
    },
  },
  task: { wait: { type: 'Elsa.RunTask', id: 'Wait', taskName: literal('approve') } },
  child: {
    wait: {
      type: 'Elsa.ExecuteWorkflow',
      id: 'Wait',
      workflowDefinitionId: literal('fixture-inner'),
      waitForCompletion: literal(true, 'Boolean'),
    },
  },
  job: { wait: { type: 'Fixture.Job', id: 'Wait' } },
  interrupted: {
    wait: { type: 'Fixture.Stop', id: 'Wait' },
    more: { options: { commitStrategyName: 'ActivityExecuted' } },
  },
  dispatched: { wait: line('Wait', 'dispatched begins') },
};
export const KINDS = Object.keys(WAITS);
const definitionOf = (kind: string) => `fixture-${kind}`;

export interface FixtureApp {
  readonly app: INestApplication;
  readonly bed: WorkflowTestBed;
  readonly lines: string[];
  readonly url: string;
}

export async function startApp(persistence: WorkflowPersistence, clock: VirtualClock): Promise<FixtureApp> {
  const lines: string[] = [];
  @Module({
    imports: [WorkflowModule.forRoot({ persistence, clock, writeLine: (text) => lines.push(text) })],
    providers: [WorkGate, Job, Stop],
  })
  class FixtureModule {}
  const app = await NestFactory.create(FixtureModule, { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, bed: await WorkflowTestBed.of(app), lines, url: `http://127.0.0.1:${port}/workflows` };
}

const deployerOf =
  (app: INestApplication) =>
  async (definitionId: string, root: ActivityJson, more = {}): Promise<void> => {
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const result = await publisher.saveAndPublish({ definitionId, name: definitionId, root, ...more });
    if (!result.succeeded) throw new Error(result.problems.map(({ message }) => message).join('; '));
  };

/** A second version of each workflow, in which what waits is called `Moved` and stands elsewhere. */
export async function deploySecondVersions({ app }: FixtureApp): Promise<void> {
  const deploy = deployerOf(app);
  for (const [kind, { wait, more }] of Object.entries(WAITS)) {
    const moved = { ...wait, id: 'Moved' };
    const root = sequence('Root', line('New', 'not run'), line('First', kind), moved, line('Last', `${kind} moved`));
    await deploy(definitionOf(kind), root, more);
  }
}

/** Begins an instance of each kind, each of which is left at its wait; the process is to end then. */
export async function beginWaits({ app, bed }: FixtureApp): Promise<void> {
  const deploy = deployerOf(app);
  await deploy('fixture-inner', sequence('Inner', waitFor('Wait', 'fixture-inner-go'), line('Last', 'inner goes on')));
  await deploy(
    'fixture-timer',
    sequence(
      'Root',
      timed('Elsa.Cron', 'Start', 'cronExpression', '0 1 * * *', 'String', true),
      line('Last', 'timer fires'),
    ),
  );
  for (const [kind, { wait, more }] of Object.entries(WAITS))
    await deploy(
      definitionOf(kind),
      sequence('Root', line('First', kind), wait, line('Last', `${kind} goes on`)),
      more,
    );
  const start = async (kind: string) => {
    const client = await app.get(IWorkflowRuntime).createClient();
    return client.createAndRunInstance({ definition: definitionOf(kind) });
  };
  for (const kind of ['delay', 'cron', 'event', 'http', 'task', 'child']) await start(kind);
  await bed.runToIdle();
  const gate = app.get(WorkGate);
  gate.isOpen = false;
  const begun = (name: string) => once(gate.begun, name);
  const job = begun('job');
  await start('job');
  await job;
  const stop = begun('stop');
  void start('interrupted');
  await stop;
  app.get(RuntimeGate).pause();
  await app.get(IWorkflowDispatcher).dispatch({ definition: definitionOf('dispatched') });
}

/** Of all instances, in order of id. */
export async function bookmarksOf({ app }: FixtureApp): Promise<StoredBookmark[]> {
  const { instances, bookmarks } = app.get(WorkflowPersistence);
  const { items } = await instances.findMany({});
  const rows = await Promise.all(items.map(({ id }) => bookmarks.findMany({ workflowInstanceId: id })));
  return rows.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Lets everything happen that the instances wait for. */
export async function endWaits({ app, bed, url }: FixtureApp): Promise<{ readonly http: number }> {
  await bed.runToIdle();
  const bookmarks = await app.get(WorkflowPersistence).bookmarks.findMany({ names: ['Elsa.RunTask'] });
  for (const { payload } of bookmarks)
    await app.get(ITaskReporter).reportCompletion((payload as { taskId: string }).taskId);
  for (const event of ['fixture-go', 'fixture-inner-go']) await app.get(IEventPublisher).publish(event);
  const http = await fetch(`${url}/fixture-wait`, { headers: { connection: 'close' } });
  await bed.advance(2 * 3_600_000);
  await bed.runToIdle();
  return { http: http.status };
}
