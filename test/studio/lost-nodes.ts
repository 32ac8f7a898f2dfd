import { createWaymarkDataSource } from '@waymark/typeorm';

/** A node that was killed some minutes ago, as it stands in the database of a host. @param file of SQLite */
export async function leaveLostNode(file: string, name: string, version: string): Promise<void> {
  const dataSource = await createWaymarkDataSource(`sqlite:${file}`).initialize();
  const at = Date.now() - 5 * 60_000;
  await dataSource.query(
    `INSERT INTO waymark_nodes (name, version, platform, started_at, seen_at, state, active_bursts)
     VALUES (?, ?, '22.0.0', ?, ?, 'Running', 0)`,
    [name, version, at, at],
  );
  await dataSource.destroy();
}
