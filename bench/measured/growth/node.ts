import { Controller, Get } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type DefinitionDraft,
  IWorkflowDispatcher,
  RuntimeGate,
  WorkflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
import { OutboxProcessor, RuntimeMaintenance } from '@waymark/runtime/adapter';
import type { WorkflowModuleOptions } from '@waymark/nestjs';
import { forEachAtOnce } from '../../measure/at-once.js';
import { heapMegabytes, StallMeter } from '../../measure/stall-meter.js';
import { argument, type Handlers, serveParent } from '../../processes/serve-parent.js';
import { openApplication, publish } from '../application.js';
import { openPersistence, type StoreChoice } from '../persistence.js';

export interface NodeArgument {
  /** Published by each node that starts with them; the others find them unchanged. */
  readonly workflows?: readonly DefinitionDraft[];
  /** Beyond the defaults, e.g. `{ deliveryConcurrency: 4 }`. */
  readonly runtime?: Partial<WorkflowModuleOptions>;
  /** Whatever a node of a file of its own wants to know. */
  readonly more?: unknown;
}

export interface GrowthNode {
  readonly app: NestFastifyApplication;
  readonly persistence: WorkflowPersistence;
  readonly argument: NodeArgument & StoreChoice;
}

/** Answers as the reference host does, so that one sees whether the process is still there for others. */
@Controller('health')
class HealthController {
  @Get('live')
  live(): { status: string } {
    return { status: 'alive' };
  }
}

export async function openNode(
  given: Pick<Parameters<typeof openApplication>[0], 'journal'> = {},
  extra: Extra = {},
): Promise<GrowthNode> {
  const own = argument<NodeArgument & StoreChoice>();
  const options = { ...given, ...own.runtime, persistence: openPersistence(own) };
  const controllers = [HealthController, ...(extra.controllers ?? [])];
  const app = await openApplication(options, extra.providers, { imports: extra.imports, controllers });
  for (const workflow of own.workflows ?? []) await publish(app, workflow);
  await app.listen(0, '127.0.0.1');
  return { app, persistence: app.get(WorkflowPersistence), argument: own };
}

type Extra = NonNullable<Parameters<typeof openApplication>[2]> & { providers?: Parameters<typeof openApplication>[1] };

/** The calls that every node answers, and those of the dimension. */
export function serveNode(node: GrowthNode, handlers: Handlers = {}): void {
  serveParent({ ...ofEveryNode(node), ...handlers }, () => node.app.close());
}

function ofEveryNode({ app, persistence }: GrowthNode): Handlers {
  const meter = new StallMeter();
  const dispatcher = app.get(IWorkflowDispatcher);
  const gate = app.get(RuntimeGate);
  let finished = 0;
  app.get(EventEmitter2, { strict: false }).on(WorkflowEvent.WorkflowFinished, () => finished++);
  return {
    url: () => app.getUrl(),
    heap: () => heapMegabytes(),
    /** Of the event loop, from `watch` to `stalls`. */
    watch: () => meter.begin(),
    stalls: () => meter.endWithP99(),
    /** Instances that finished on this node since it started. */
    finished: () => finished,
    outbox: () => persistence.outbox.count(),
    instances: (filter: Parameters<WorkflowPersistence['instances']['count']>[0]) =>
      persistence.instances.count(filter),
    /** Takes no work until `resume`. */
    pause: () => {
      gate.pause();
      return gate.settled();
    },
    resume: () => {
      gate.resume();
      // Not a second later, with the next round.
      return app.get(OutboxProcessor).poll();
    },
    maintain: () => app.get(RuntimeMaintenance).runOnce(),
    /** As a host does it that dispatches for many users: some at the same time. */
    dispatch: ({ definitionId, count, atOnce = 16 }: { definitionId: string; count: number; atOnce?: number }) =>
      forEachAtOnce(count, atOnce, () => dispatcher.dispatch({ definition: { definitionId } })),
  };
}
