import { type INestApplicationContext, Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type DefinitionContext, type DefinitionModel, readDefinitionModel } from '@waymark/core/adapter';
import { WorkflowModule, type WorkflowModuleOptions } from '@waymark/nestjs';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  MemoryPersistence,
  type PublishResult,
  type RunInstanceRequest,
  WorkflowEngine,
  WorkflowPersistence,
} from '@waymark/runtime';
import { VirtualClock, WorkflowTestBed } from '@waymark/testing';
import { Run } from './run.js';

/** Below Jest's own limit, and above what a machine with much other work needs. */
const PATIENCE_MS = 20_000;

/** A definition as a client sends it: Elsa's JSON. */
export type Model = Record<string, unknown> & { definitionId: string };

export interface StartRequest extends RunInstanceRequest {
  readonly correlationId?: string;
}

/** Options of the module under test, and what the application provides besides. */
export type TestOptions = WorkflowModuleOptions & { readonly providers?: Provider[] };

/** The whole product in this process: memory persistence, JavaScript, Liquid, timers on a clock that is moved. */
export class TestApplication {
  private constructor(
    readonly app: INestApplicationContext,
    readonly bed: WorkflowTestBed,
  ) {}

  get clock(): VirtualClock {
    return this.bed.clock;
  }

  static async start(options: TestOptions = {}): Promise<TestApplication> {
    const app = await NestFactory.createApplicationContext(this.moduleOf(options), { logger: false });
    return new TestApplication(app, await WorkflowTestBed.of(app, { patienceMs: PATIENCE_MS }));
  }

  /** The same on Express and a port of its own. */
  static async serve(options: TestOptions = {}): Promise<TestApplication & { readonly url: string }> {
    const app = await NestFactory.create(this.moduleOf(options), { logger: false, forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
    const bed = await WorkflowTestBed.of(app, { patienceMs: PATIENCE_MS });
    return Object.assign(new TestApplication(app, bed), { url: await app.getUrl() });
  }

  private static moduleOf({ providers = [], ...settings }: TestOptions): Type {
    const clock = new VirtualClock();
    @Module({
      imports: [
        WorkflowModule.forRoot({
          persistence: new MemoryPersistence(),
          clock,
          writeLine: () => {},
          ...settings,
        }),
      ],
      providers,
    })
    class AppModule {}
    return AppModule;
  }

  get<T>(token: abstract new (...args: never[]) => T): T {
    return this.app.get(token as never);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** What the reader of definitions depends on. */
  get context(): DefinitionContext {
    const { activities, types, expressions, newId } = this.get(WorkflowEngine);
    return { registry: activities, types, expressions, newId: () => newId() };
  }

  /** Reads a definition as an import does. */
  read(model: Model): DefinitionModel {
    return readDefinitionModel(JSON.parse(JSON.stringify(model)), this.context);
  }

  /** Imports and publishes without regard to problems. */
  publish(model: Model): Promise<PublishResult> {
    const { warnings: _, version: _version, ...draft } = this.read(model);
    return this.get(IWorkflowDefinitionPublisher).saveAndPublish(draft, { keepId: true });
  }

  async saveDraft(model: Model): Promise<void> {
    const { warnings: _, version: _version, ...draft } = this.read(model);
    await this.get(IWorkflowDefinitionPublisher).saveDraft(draft, { keepId: true });
  }

  /** Imports and publishes; fails the test when a definition has problems. */
  async deploy(...models: Model[]): Promise<void> {
    for (const model of models) {
      const { succeeded, problems } = await this.publish(model);
      if (!succeeded) throw new Error(`${model.definitionId}: ${problems.map((p) => p.message).join('; ')}`);
    }
  }

  /** Deploys what is given, runs the last one to its first stop, and lets everything that it caused happen. */
  async run(models: Model | readonly Model[], request: StartRequest = {}): Promise<Run> {
    const list = [models].flat();
    await this.deploy(...list);
    return this.execute(list.at(-1)!.definitionId, request);
  }

  async execute(definition: string, request: StartRequest = {}): Promise<Run> {
    const client = await this.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId } = await client.createAndRunInstance({ definition, ...request });
    await this.settled();
    return this.instance(workflowInstanceId);
  }

  /** An instance as it is stored now. */
  instance(id: string): Promise<Run> {
    return Run.load(this, id);
  }

  /** Instances of a definition, oldest first. */
  async instancesOf(definitionId: string): Promise<Run[]> {
    const { items } = await this.get(WorkflowPersistence).instances.findMany(
      { definitionIds: [definitionId] },
      { by: 'Created', direction: 'Ascending' },
    );
    return Promise.all(items.map(({ id }) => this.instance(id)));
  }

  /** Lets everything happen that can happen now. */
  settled(): Promise<void> {
    return this.bed.runToIdle();
  }

  /** Moves the clock and lets everything that became due happen, each at its own time. */
  advance(ms: number): Promise<void> {
    return this.bed.advance(ms);
  }

  /** Jumps ahead, past everything that would happen on the way; what is overdue then happens. */
  async jump(ms: number): Promise<void> {
    await this.settled();
    await this.clock.setTime(this.clock.now() + ms);
    await this.clock.advance(1);
    await this.settled();
  }
}
