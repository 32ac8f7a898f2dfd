// A node under torture: an application of its own in a process of its own, killed at any moment.
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { bookmarkHash } from '@waymark/core/adapter';
import { Activity, ActivityBase, type ActivityExecutionContext, Input, WorkflowModule } from '@waymark/nestjs';
import {
  AlterationPlans,
  BulkAction,
  BulkPlans,
  IBookmarkQueue,
  IBookmarkResumer,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  IWorkflowStarter,
  WorkflowPersistence,
} from '@waymark/runtime';
import { EVENT_PAYLOAD_INPUT, EVENT_STIMULUS, sha256, SystemClock } from '@waymark/runtime/adapter';
import { SteppingTime } from '@waymark/testing';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { workflows } from './workflows.js';

export interface TortureNodeSettings {
  readonly url: string;
  readonly tablePrefix: string;
  /** That of the node before in the same place; undefined: each has its own. */
  readonly nodeName?: string | undefined;
  /** File to which every effect adds a line. */
  readonly ledger: string;
}

export interface LedgerLine {
  readonly instance: string;
  readonly name: string;
  readonly key: string;
  readonly attempt: number;
  /** The occurrence of the timer that started the instance. */
  readonly scheduledAt?: string;
}

export type TortureCommand =
  | { readonly do: 'deploy' }
  | { readonly do: 'retract'; readonly definitionId: string }
  | { readonly do: 'start'; readonly definition: string; readonly key: string }
  | { readonly do: 'startSingle' }
  | { readonly do: 'event'; readonly event: string; readonly key: string; readonly correlationId: string }
  | { readonly do: 'bookmark'; readonly event: string; readonly correlationId: string }
  | { readonly do: 'resume'; readonly bookmarkId: string; readonly by: string }
  | { readonly do: 'cancel'; readonly correlationId: string }
  /** Starts so many that wait for a plan, each once however often it is asked. */
  | { readonly do: 'startHerd'; readonly key: string; readonly count: number }
  /** Submits a plan for all of them, once. */
  | { readonly do: 'plan'; readonly kind: PlanKind; readonly key: string }
  | { readonly do: 'planEnded'; readonly kind: PlanKind; readonly key: string }
  /** Anything that ends with a commit. */
  | { readonly do: 'write' }
  | { readonly do: 'stepClock'; readonly ms: number };

/** What plans do to a herd. */
export type PlanKind = 'cancel' | 'delete' | 'alter';
export const planIdOf = (kind: PlanKind, key: string): string => `${kind}-${key}`;

const settings = JSON.parse(process.env.NODE_SETTINGS!) as TortureNodeSettings;

@Activity({ type: 'Torture.Effect', category: 'Torture' })
class Effect extends ActivityBase {
  @Input() label!: string;

  execute(ctx: ActivityExecutionContext): unknown {
    const { id: instance } = ctx.workflow;
    const scheduledAt = (ctx.workflow.getInput('ScheduledAt') as Date | undefined)?.toISOString();
    const { idempotencyKey: key, attempt } = ctx;
    const entry: LedgerLine = { instance, name: this.label, key, attempt, scheduledAt };
    // One write to a file opened for appending: lines of several processes never mix.
    appendFileSync(settings.ledger, `${JSON.stringify(entry)}\n`);
    return ctx.complete();
  }
}

const time = new SteppingTime();
const app = await NestFactory.createApplicationContext(
  {
    module: class Node {},
    imports: [
      WorkflowModule.forRoot({
        persistence: TypeOrmPersistence.fromUrl(settings.url, { tablePrefix: settings.tablePrefix }),
        clock: new SystemClock(time),
        nodeName: settings.nodeName,
        pollIntervalMs: 200,
        scheduling: { pollIntervalMs: 500 },
        writeLine: () => undefined,
      }),
    ],
    providers: [Effect],
  },
  { logger: ['fatal'] },
);
const eventHash = (eventName: string): string => bookmarkHash(sha256, EVENT_STIMULUS, { eventName });

async function serve(command: TortureCommand): Promise<unknown> {
  switch (command.do) {
    case 'deploy':
      for (const workflow of workflows) {
        const result = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ ...workflow, name: '' });
        if (!result.succeeded) throw new Error(result.problems.map((p) => p.message).join('; '));
      }
      return undefined;
    case 'retract':
      await app.get(IWorkflowDefinitionPublisher).retract(command.definitionId);
      return undefined;
    case 'start': {
      const client = await app.get(IWorkflowRuntime).createClient();
      const { definition, key } = command;
      await client.createAndRunInstance({ definition, requestKey: `${definition}:${key}`, correlationId: key });
      return client.workflowInstanceId;
    }
    case 'startSingle':
      return (await app.get(IWorkflowStarter).start({ definition: 'single' })).cannotStart;
    case 'event': {
      const { event, key, correlationId } = command;
      const match = { activityTypeName: EVENT_STIMULUS, stimulusHash: eventHash(event), correlationId };
      return app.get(IBookmarkQueue).enqueue({ ...match, idempotencyKey: key });
    }
    case 'bookmark': {
      const { correlationId, event } = command;
      const { bookmarks } = app.get(WorkflowPersistence);
      return (await bookmarks.findMany({ correlationId, hash: eventHash(event) }))[0]?.id;
    }
    case 'resume': {
      const { bookmarkId, by } = command;
      await app.get(IBookmarkResumer).resumeById(bookmarkId, { input: { [EVENT_PAYLOAD_INPUT]: { by } } });
      return undefined;
    }
    case 'write': {
      const client = await app.get(IWorkflowRuntime).createClient();
      await client.createAndRunInstance({ definition: 'proof' });
      return undefined;
    }
    case 'stepClock':
      return time.stepWall(command.ms);
    case 'startHerd': {
      const { key, count } = command;
      const starts = Array.from({ length: count }, async (_, n) => {
        const client = await app.get(IWorkflowRuntime).createClient();
        const requestKey = `herd:${key}:${n}`;
        await client.createAndRunInstance({ definition: 'herd', requestKey, correlationId: key });
      });
      for (const { status, reason } of (await Promise.allSettled(starts)) as { status: string; reason?: unknown }[])
        // Another request has started it.
        if (status === 'rejected' && (reason as { code?: string }).code !== 'WM7007') throw reason;
      return undefined;
    }
    case 'plan': {
      const { kind, key } = command;
      const filter = { correlationIds: [key], definitionIds: ['herd'] };
      const id = planIdOf(kind, key);
      if (kind === 'alter') {
        const alterations = [{ type: 'ScheduleActivity', activityId: 'altered' } as const];
        return app.get(AlterationPlans).submit({ id, alterations, filter });
      }
      const action = kind === 'cancel' ? BulkAction.CancelInstances : BulkAction.DeleteInstances;
      return app.get(BulkPlans).submit({ action, filters: [filter] }, { id });
    }
    case 'planEnded': {
      const id = planIdOf(command.kind, command.key);
      const plan =
        command.kind === 'alter' ? await app.get(AlterationPlans).findPlan(id) : await app.get(BulkPlans).find(id);
      return plan?.status === 'Completed';
    }
    case 'cancel': {
      const filter = { correlationIds: [command.correlationId], definitionIds: ['patience'] };
      const [id] = await app.get(WorkflowPersistence).instances.findIds(filter);
      return (await app.get(IWorkflowRuntime).createClient(id)).cancel();
    }
  }
}

process.on('message', ({ id, command }: { id: number; command: TortureCommand }) => {
  serve(command).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: String(error), code: (error as { code?: string }).code }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send!({ ready: true });
