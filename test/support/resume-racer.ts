// A process of its own that resumes one bookmark many times at once. Arguments: URL, number of attempts, and the burst as
// JSON of { instance, bookmarkId }. Prints { fulfilled, WM7002, … } and ends.
import { deserialize } from '@waymark/core/adapter';
import type { WorkflowInstanceRecord } from '@waymark/runtime/adapter';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { aBurstOf } from './a-burst.js';

const [url = '', attempts = '0', text = ''] = process.argv.slice(2);
const { instance, bookmarkId } = deserialize<{ instance: WorkflowInstanceRecord; bookmarkId: string }>(text);
const persistence = TypeOrmPersistence.fromUrl(url);
await persistence.initialize();
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));

const results = await Promise.allSettled(
  Array.from({ length: Number(attempts) }, () =>
    persistence.commit(
      aBurstOf(instance, { expectedRevision: 1, removedBookmarkIds: [bookmarkId], consumedBookmarkIds: [bookmarkId] }),
    ),
  ),
);
const counts: Record<string, number> = {};
for (const result of results) {
  const key = result.status === 'fulfilled' ? 'fulfilled' : String((result.reason as { code?: string }).code);
  counts[key] = (counts[key] ?? 0) + 1;
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
await persistence.close();
process.exit(0);
