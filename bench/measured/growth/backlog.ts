import { createIdGenerator, type OutboxMessage, SystemClock } from '@waymark/runtime/adapter';
import { argument, serveParent } from '../../processes/serve-parent.js';
import { openPersistence, type StoreChoice } from '../persistence.js';

const BATCH = 500;

/** A node that has taken in starts, and is killed before it serves them. */
const persistence = openPersistence(argument<StoreChoice>());
await persistence.initialize();

serveParent(
  {
    leave: async ({ definitionId, count }: { definitionId: string; count: number }): Promise<void> => {
      const newId = createIdGenerator(new SystemClock());
      const found = await persistence.definitions.find({ definitionId, versionOptions: 'Published' });
      if (!found) throw new Error(`${definitionId} is not published.`);
      const start = (): OutboxMessage => ({
        id: newId(),
        workflowInstanceId: undefined,
        kind: 'start',
        payload: { definition: { definitionVersionId: found.id }, workflowInstanceId: newId() },
        createdAt: new Date(),
        // The head start of the node that is dead has passed.
        availableAt: new Date(0),
        attempts: 0,
      });
      for (let from = 0; from < count; from += BATCH)
        await persistence.outbox.add(Array.from({ length: Math.min(BATCH, count - from) }, start));
    },
  },
  () => persistence.close(),
);
