// A process of its own that starts instances until it is killed. Arguments: URL, table prefix. Prints the id of each
// instance once its commit has resolved.
import { TypeOrmPersistence } from '@waymark/typeorm';
import type { WorkflowInstanceRecord } from '@waymark/runtime/adapter';
import { aBurstOf } from './a-burst.js';
import { anInstanceOf } from './an-instance.js';

const [url = '', tablePrefix = ''] = process.argv.slice(2);
const persistence = TypeOrmPersistence.fromUrl(url, { tablePrefix });
await persistence.initialize();

async function writer(name: string): Promise<never> {
  for (let count = 0; ; count++) {
    const instance: WorkflowInstanceRecord = anInstanceOf(`${name}-${count}`);
    const bookmark = {
      id: `${instance.id}-bookmark`,
      name: 'Test.Event',
      hash: instance.id,
      workflowInstanceId: instance.id,
      activityInstanceId: 'activity',
      createdAt: instance.createdAt,
    };
    await persistence.commit(aBurstOf(instance, { addedBookmarks: [bookmark] }));
    process.stdout.write(`${instance.id}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, n) => writer(`killed-${process.pid}-${n}`)));
