import { TypeOrmPersistence } from '@waymark/typeorm';
import { MemoryPersistence, type WorkflowPersistence } from '@waymark/runtime';

/** Where Waymark's side of a comparison keeps its workflows. */
export interface StoreChoice {
  /** Absent: in memory. */
  readonly url?: string;
  readonly prefix?: string;
}

/** As a user gets it: no option is set that would make it faster or less durable. */
export function openPersistence({ url, prefix }: StoreChoice): WorkflowPersistence {
  return url ? TypeOrmPersistence.fromUrl(url, { tablePrefix: prefix }) : new MemoryPersistence();
}

/** In memory finished instances would only fill the heap; a database keeps them, as the ceiling keeps its rows. */
export async function forgetFinished({ instances }: WorkflowPersistence): Promise<void> {
  await instances.delete(await instances.findIds({ statuses: ['Finished'] }));
}
