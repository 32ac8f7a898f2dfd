import type { WorkflowDefinition } from '@waymark/core';
import { ITriggerIndexer, type StoredTrigger, WorkflowPersistence } from '@waymark/runtime';
import { argument, serveParent } from '../processes/serve-parent.js';
import { publishedDefinition } from '../workflows/published.js';
import { openApplication } from './application.js';
import { openPersistence } from './persistence.js';

/** Transactions of so many definitions: published one by one they would take minutes. */
const BATCH = 500;

const { url, count } = argument<{ url: string; count: number }>();

const app = await openApplication({ persistence: openPersistence({ url }) });
const { definitions } = app.get(WorkflowPersistence);
const indexer = app.get(ITriggerIndexer);

/** The rows that publishing writes, triggers included. */
async function store(batch: readonly WorkflowDefinition[]): Promise<void> {
  const addedTriggers: StoredTrigger[] = [];
  for (const definition of batch) addedTriggers.push(...(await indexer.diff(definition, true)).added);
  const saved = batch.map((definition) => ({ definition, expectedRevision: undefined }));
  await definitions.apply({ saved, deletedIds: [], addedTriggers, removedTriggerIds: [] });
}

serveParent(
  {
    async seed(): Promise<number> {
      for (let from = 0; from < count; from += BATCH)
        await store(Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => publishedDefinition(from + i)));
      return definitions.count({ versionOptions: 'Published' });
    },
  },
  () => app.close(),
);
