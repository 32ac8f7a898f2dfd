import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { createWaymarkDataSource } from '../connection/data-source.js';
import { TypeOrmPersistence } from '../typeorm-persistence.js';
import { waymarkMigrations } from './index.js';

const LAST = 'RequestedPlans1800500000000';

describe('migrations of Waymark among those of the application', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-migrations-'));
  let file: string;
  let files = 0;

  beforeEach(() => {
    file = path.join(folder, `${++files}.db`);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** As the command line of TypeORM does it with the application's data source. */
  async function withApplication<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
    const migrations = waymarkMigrations('waymark_');
    const dataSource = await new DataSource({ type: 'better-sqlite3', database: file, migrations }).initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  async function start(): Promise<void> {
    const persistence = TypeOrmPersistence.fromUrl(`sqlite:${file}`, { migrate: false });
    try {
      await persistence.initialize();
    } finally {
      await persistence.close();
    }
  }

  it('migrations are known to a node that runs none itself', async () => {
    await withApplication((dataSource) => dataSource.runMigrations());
    await expect(start()).resolves.toBeUndefined();
  });

  it('migrations are missing again when the application takes one back', async () => {
    await withApplication(async (dataSource) => {
      await dataSource.runMigrations();
      await dataSource.undoLastMigration();
    });
    await expect(start()).rejects.toMatchObject({ code: 'WM7013', message: expect.stringContaining(LAST) });
    await withApplication((dataSource) => dataSource.runMigrations());
    await expect(start()).resolves.toBeUndefined();
  });

  it.each([
    ['after', async () => undefined],
    ['by the application, after', () => withApplication((dataSource) => dataSource.runMigrations())],
  ])(
    'migrations are recorded once %s a data source of their own, which the command line runs',
    async (_who, before) => {
      await before();
      const dataSource = await createWaymarkDataSource(`sqlite:${file}`).initialize();
      await dataSource.runMigrations();
      const rows: { name: string; times: number }[] = await dataSource.query(
        'SELECT name, COUNT(*) AS times FROM waymark_migrations GROUP BY name HAVING COUNT(*) <> 1',
      );
      expect(rows).toEqual([]);
      await dataSource.destroy();
      await expect(start()).resolves.toBeUndefined();
    },
  );
});
