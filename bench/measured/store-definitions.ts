import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { WorkflowDefinition } from '@waymark/core';
import { ITriggerIndexer, WorkflowPersistence, type StoredTrigger } from '@waymark/runtime';

/** Transactions of so many definitions: published one by one they would take minutes. */
const BATCH = 500;

/** The rows that publishing writes, triggers included. */
export async function storeDefinitions(
  app: NestFastifyApplication,
  count: number,
  definitionOf: (number: number) => WorkflowDefinition,
): Promise<void> {
  const { definitions } = app.get(WorkflowPersistence);
  const indexer = app.get(ITriggerIndexer);
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => definitionOf(from + i));
    const addedTriggers: StoredTrigger[] = [];
    for (const definition of batch) addedTriggers.push(...(await indexer.diff(definition, true)).added);
    const saved = batch.map((definition) => ({ definition, expectedRevision: undefined }));
    await definitions.apply({ saved, deletedIds: [], addedTriggers, removedTriggerIds: [] });
  }
}
