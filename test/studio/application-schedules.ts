import { serialize } from '@waymark/core/adapter';
import { createWaymarkDataSource } from '@waymark/typeorm';

/** What the application has scheduled in its code, as it stands in the database of a host: once, at a time. */
export interface ApplicationSchedule {
  readonly id: string;
  readonly at: Date;
  /** The workflow that it starts. */
  readonly definition?: string;
  /** The instance that it resumes. */
  readonly workflowInstanceId?: string;
}

/** @param file of SQLite */
export async function leaveSchedules(file: string, schedules: readonly ApplicationSchedule[]): Promise<void> {
  const dataSource = await createWaymarkDataSource(`sqlite:${file}`).initialize();
  for (const { id, at, definition, workflowInstanceId } of schedules) {
    const request =
      definition === undefined
        ? { kind: 'stimulus', name: 'Elsa.Event', hash: 'none', workflowInstanceId, values: {} }
        : { kind: 'start', definition, values: {} };
    await dataSource.query(
      `INSERT INTO waymark_schedules
         (id, token, name, workflow_definition_id, workflow_instance_id, due_at, hash, created_at, times, request)
       VALUES (?, ?, 'Elsa.StartAt', ?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        `token-${id}`,
        definition ?? null,
        workflowInstanceId ?? null,
        at.getTime(),
        `hash-${id}`,
        Date.now(),
        serialize({ executeAt: at.toISOString() }),
        serialize(request),
      ],
    );
  }
  await dataSource.destroy();
}
