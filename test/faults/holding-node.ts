// A node as a process of its own, whose time stands still unless it is moved: claims of a node that is killed do not end by themselves.
import 'reflect-metadata';
import { appendFile } from 'node:fs/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import {
  BulkAction,
  BulkPlans,
  IWorkflowDefinitionPublisher,
  IWorkflowDispatcher,
  WorkflowPersistence,
} from '@waymark/runtime';
import { RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { TypeOrmPersistence } from '@waymark/typeorm';

export interface HoldingSettings {
  readonly url: string;
  readonly tablePrefix: string;
  /** Its time, in milliseconds since 1970. */
  readonly now: number;
  readonly nodeName?: string;
  /** Gets a line for each execution of `Test.Hold`. */
  readonly effects: string;
  /** If true, executions of `Test.Hold` never end. */
  readonly holds: boolean;
}

export type HoldingCommand =
  | { readonly do: 'deploy'; readonly definitionId: string; readonly root: ActivityJson; readonly options?: object }
  | { readonly do: 'dispatch'; readonly definitionId: string }
  /** Moves its time. */
  | { readonly do: 'advance'; readonly ms: number }
  /** Resolves when so many executions have begun. */
  | { readonly do: 'holding'; readonly times: number }
  | { readonly do: 'cancelAll'; readonly definitionId: string }
  /** How far a bulk plan is. */
  | { readonly do: 'plan'; readonly planId: string }
  /** One round of the maintenance, with all that it begins. */
  | { readonly do: 'round' }
  /** Of each instance of a definition: its id, its status, and how often `After` has completed. */
  | { readonly do: 'ends'; readonly definitionId: string };

const settings = JSON.parse(process.env.NODE_SETTINGS!) as HoldingSettings;
const NEVER_MS = 2 ** 30;
const clock = new VirtualClock(settings.now, { patienceMs: 100 });
let begun = 0;
let waiting: { readonly times: number; readonly resolve: () => void }[] = [];

@Injectable()
@Activity({ namespace: 'Test', kind: 'Task' })
class Hold extends ActivityBase {
  async execute(ctx: ActivityExecutionContext): Promise<void> {
    await appendFile(settings.effects, `${ctx.workflow.id} ${settings.holds ? 'held' : 'done'}\n`);
    begun++;
    for (const { resolve } of waiting.filter(({ times }) => times <= begun)) resolve();
    waiting = waiting.filter(({ times }) => times > begun);
    if (settings.holds) await new Promise<never>(() => {});
  }
}

const persistence = TypeOrmPersistence.fromUrl(settings.url, { tablePrefix: settings.tablePrefix });
@Module({
  imports: [
    WorkflowModule.forRoot({
      persistence,
      clock,
      nodeName: settings.nodeName,
      writeLine: () => undefined,
      // Rounds are asked for.
      pollIntervalMs: NEVER_MS,
      deliveryConcurrency: 64,
      scheduling: { pollIntervalMs: 100 },
    }),
  ],
  providers: [Hold],
})
class HoldingModule {}
const app = await NestFactory.createApplicationContext(HoldingModule, { logger: ['error'] });

async function ends(definitionId: string): Promise<[id: string, status: string, after: number][]> {
  const { instances, journal } = app.get(WorkflowPersistence);
  const found: [string, string, number][] = [];
  for (const id of await instances.findIds({ definitionIds: [definitionId] })) {
    const log = await journal.readLog(id);
    const after = log.filter(({ eventName, activityId }) => eventName === 'Completed' && activityId === 'After');
    found.push([id, (await instances.load(id))!.subStatus, after.length]);
  }
  return found;
}

async function serve(command: HoldingCommand): Promise<unknown> {
  switch (command.do) {
    case 'deploy': {
      const { definitionId, root, options = {} } = command;
      const definition = { definitionId, name: definitionId, root, options };
      return (await app.get(IWorkflowDefinitionPublisher).saveAndPublish(definition)).problems;
    }
    case 'dispatch':
      return app.get(IWorkflowDispatcher).dispatch({ definition: command.definitionId });
    case 'advance':
      return clock.advance(command.ms);
    case 'holding': {
      const { times } = command;
      return times <= begun ? undefined : new Promise<void>((resolve) => waiting.push({ times, resolve }));
    }
    case 'cancelAll': {
      const filters = [{ definitionIds: [command.definitionId] }];
      return app.get(BulkPlans).submit({ action: BulkAction.CancelInstances, filters });
    }
    case 'plan':
      return app.get(BulkPlans).find(command.planId);
    case 'round':
      return app.get(RuntimeMaintenance).runOnce();
    case 'ends':
      return ends(command.definitionId);
  }
}

process.on('message', ({ id, command }: { id: number; command: HoldingCommand }) => {
  serve(command).then(
    (answer) => process.send!({ id, answer }),
    (error: unknown) => process.send!({ id, error: String((error as Error)?.stack ?? error) }),
  );
});
process.send!({ ready: true });
