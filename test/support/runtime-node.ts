import { ConsoleLogger, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ActivityJson } from '@waymark/core';
import { IWorkflowDefinitionPublisher, type WorkflowPersistence, type WorkflowRuntimeOptions } from '@waymark/runtime';
import {
  AlterationSelections,
  BulkPlanWorker,
  OutboxProcessor,
  resolveRuntimeOptions,
  RUNTIME_OPTIONS,
  RuntimeMaintenance,
  WorkflowRuntimeModule,
} from '@waymark/runtime/adapter';

/** One node of a cluster in this process: a runtime of its own on a store that others may share. */
export interface RuntimeNode {
  get<T>(token: abstract new (...args: never[]) => T): T;
  /** Texts that WriteLine wrote on this node. */
  readonly lines: string[];
  /** Publishes a definition; fails the test when it has problems. */
  deploy(definitionId: string, root: ActivityJson, more?: Record<string, unknown>): Promise<void>;
  /** Resolves when no message is being served and none is left to take over. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface RuntimeNodeOptions extends WorkflowRuntimeOptions {
  readonly providers?: Provider[];
}

/** Errors, but not those of activities: tests let activities fault on purpose. */
class LogOfNode extends ConsoleLogger {
  constructor() {
    super({ logLevels: ['error'] });
  }
  override error(message: unknown, ...rest: unknown[]): void {
    if (!/^Activity ".* faulted: /s.test(String(message))) super.error(message, ...(rest as []));
  }
}

/** The background pulse of a test node never fires by itself: `settled()` runs its rounds. */
const NEVER_MS = 2 ** 30;

export async function startNode(
  persistence: WorkflowPersistence,
  options: RuntimeNodeOptions = {},
): Promise<RuntimeNode> {
  const lines: string[] = [];
  const { providers = [], ...runtime } = options;
  const resolved = resolveRuntimeOptions({
    pollIntervalMs: NEVER_MS,
    writeLine: (text) => lines.push(text),
    ...runtime,
    persistence,
  });
  @Module({
    imports: [
      WorkflowRuntimeModule.compose({ providers: [{ provide: RUNTIME_OPTIONS, useValue: resolved }, ...providers] }),
    ],
  })
  class NodeModule {}
  const app = await NestFactory.createApplicationContext(NodeModule, { logger: new LogOfNode() });
  return {
    lines,
    get: (token) => app.get(token as never),
    async deploy(definitionId, root, more = {}) {
      const result = await app
        .get(IWorkflowDefinitionPublisher)
        .saveAndPublish({ definitionId, name: definitionId, root, ...more });
      if (!result.succeeded) throw new Error(result.problems.map((p) => p.message).join('; '));
    },
    async settled() {
      const outbox = app.get(OutboxProcessor);
      await app.get(AlterationSelections).settled();
      do await outbox.settled();
      while ((await outbox.poll()) > 0);
      await app.get(RuntimeMaintenance).runOnce();
      await app.get(BulkPlanWorker).settled();
      await outbox.settled();
    },
    close: () => app.close(),
  };
}

// ----- definitions, as short as the tests want them -----

const input = (typeName: string, type: string, value: unknown) => ({ typeName, expression: { type, value } });
export const literal = (value: unknown, typeName = 'String') => input(typeName, 'Literal', value);
export const line = (id: string, text: string): ActivityJson => ({ type: 'Elsa.WriteLine', id, text: literal(text) });
export const sequence = (id: string, ...activities: ActivityJson[]): ActivityJson => ({
  type: 'Elsa.Sequence',
  id,
  activities,
});
export const waitFor = (id: string, eventName: string, more: Record<string, unknown> = {}): ActivityJson => ({
  type: 'Elsa.Event',
  id,
  eventName: literal(eventName),
  ...more,
});
export const startedBy = { customProperties: { canStartWorkflow: true } };
