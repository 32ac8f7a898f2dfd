import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, type ModuleMetadata } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Test } from '@nestjs/testing';
import {
  IWorkflowRuntime,
  sequence,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowEvent,
  type WorkflowExecuted,
  WorkflowModule,
} from '@waymark/nestjs';
import { WorkflowTestBed } from '@waymark/testing';

@Workflow({ id: 'short' })
class Short implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(sequence([]));
  }
}

/** A part of the application with events of its own, whose listeners use what the application set for its emitter. */
@Injectable()
class Orders {
  readonly heard: string[] = [];
  readonly finished: string[] = [];

  constructor(@Inject(EventEmitter2) private readonly emitter: EventEmitter2) {}

  place(id: string): void {
    this.emitter.emit('order.placed', id);
  }

  @OnEvent('order.*')
  onOrder(id: string): void {
    this.heard.push(id);
  }

  @OnEvent(WorkflowEvent.WorkflowFinished)
  onFinished({ state }: WorkflowExecuted): void {
    this.finished.push(state.definitionId);
  }
}

@Module({ providers: [Orders] })
class OrdersModule {}

const own = () => EventEmitterModule.forRoot({ wildcard: true });
const orders: [string, () => NonNullable<ModuleMetadata['imports']>][] = [
  ['before Waymark', () => [own(), WorkflowModule.forRoot(), OrdersModule]],
  ['after Waymark', () => [WorkflowModule.forRoot(), own(), OrdersModule]],
  ['last', () => [OrdersModule, WorkflowModule.forRoot(), own()]],
];

describe.each(orders)('an application that imports its own EventEmitterModule %s', (_place, imports) => {
  let bed: WorkflowTestBed | undefined;

  afterEach(() => bed?.close());

  async function start(): Promise<WorkflowTestBed> {
    bed = await WorkflowTestBed.init(Test.createTestingModule({ imports: imports(), providers: [Short] }));
    return bed;
  }

  it('emits and hears its own events by its own emitter, with the options that it gave', async () => {
    const { app } = await start();
    app.get(Orders, { strict: false }).place('a');
    expect(app.get(Orders, { strict: false }).heard).toEqual(['a']);
  });

  it('hears each event of workflows once, in methods with @OnEvent and in the test bed', async () => {
    const { app } = await start();
    const client = await app.get(IWorkflowRuntime, { strict: false }).createClient();
    const { workflowInstanceId } = await client.createAndRunInstance({ definition: 'short' });
    const { state } = await bed!.waitForEvent(WorkflowEvent.WorkflowFinished, { workflowInstanceId });
    expect(state.definitionId).toBe('short');
    expect(app.get(Orders, { strict: false }).finished).toEqual(['short']);
  });
});
