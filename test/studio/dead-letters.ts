import { serialize } from '@waymark/core/adapter';
import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';

/** Dead letters as they stay in the database of a host: the attempts of years are over. @param file of SQLite */
export async function leaveDeadLetters(file: string, messageIds: readonly string[], stimulusId: string): Promise<void> {
  const dataSource = await createWaymarkDataSource(`sqlite:${file}`).initialize();
  const at = Date.UTC(2026, 0, 5);
  for (const id of messageIds)
    await dataSource.query(
      `INSERT INTO waymark_outbox
         (id, instance_id, kind, data, created_at, available_at, ready_at, attempts, last_error, turn)
       VALUES (?, ?, 'start', ?, ?, ?, NULL, 10, 'WM1020: No published version of "lost" found.', 0)`,
      [id, `i-${id}`, serialize({ definition: 'lost', workflowInstanceId: `i-${id}` }), at, at],
    );
  await leaveOf(dataSource, stimulusId, { workflowInstanceId: 'elsewhere' });
  await dataSource.destroy();
}

/** For whom a stimulus was that came before its bookmark. */
interface Awaited {
  readonly workflowInstanceId: string;
  readonly bookmarkId?: string;
}

/** The dead letter of one stimulus. */
export async function leaveStimulus(file: string, id: string, awaited: Awaited): Promise<void> {
  const dataSource = await createWaymarkDataSource(`sqlite:${file}`).initialize();
  await leaveOf(dataSource, id, awaited);
  await dataSource.destroy();
}

/** Dead letters of the queue are deleted some weeks after they became such. */
async function leaveOf(dataSource: DataSource, id: string, awaited: Awaited): Promise<void> {
  const at = Date.UTC(2026, 0, 5);
  await dataSource.query(
    `INSERT INTO waymark_dead_letters
       (id, workflow_instance_id, bookmark_id, activity_type_name, data, created_at, expires_at, attempts,
        original_queue_item_id, dead_lettered_at, reason, can_replay)
     VALUES (?, ?, ?, 'Elsa.Event', ?, ?, ?, 0, 'q', ?, 'Expired', 1)`,
    [
      id,
      awaited.workflowInstanceId,
      awaited.bookmarkId ?? null,
      serialize({ input: { answer: 42 } }),
      at,
      at,
      Date.now(),
    ],
  );
}
