import { randomBytes } from 'node:crypto';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { namesOf, type Query, type Row, runPrefix, type ServerDatabase, withConnection } from './server-connection.js';

/** Tables that are up to date, and what a migration has written into them. */
export interface MigratedTables {
  readonly tablePrefix: string;
  readonly names: readonly string[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

/**
 * Tables of a server that files of a worker use one after the other. To make and drop them costs test and server more than most files do
 * with them: twenty migrations of a hundred statements, each of which the server writes to its catalogue.
 */
export class ServerTables {
  private readonly free: MigratedTables[] = [];

  constructor(
    private readonly name: ServerDatabase,
    private readonly url: string,
  ) {}

  /** Tables as the migrations leave them. */
  async take(): Promise<MigratedTables> {
    return this.free.pop() ?? (await this.make());
  }

  /** What a file is done with: no connection of it is open any more. */
  async giveBack(tables: MigratedTables): Promise<void> {
    await withConnection(this.name, this.url, async (query) => {
      for (const name of await filled(query, tables.names)) await query(`DELETE FROM ${name}`);
      for (const [name, rows] of tables.rows) for (const row of rows) await query(insertion(name, row));
    });
    this.free.push(tables);
  }

  private async make(): Promise<MigratedTables> {
    const tablePrefix = `${runPrefix()}${randomBytes(2).toString('hex')}_`;
    const store = TypeOrmPersistence.fromUrl(this.url, { tablePrefix });
    await store.initialize();
    await store.close();
    return withConnection(this.name, this.url, async (query) => {
      // The record of migrations is what says that they are up to date.
      const names = (await namesOf(query, tablePrefix)).filter((name) => name !== `${tablePrefix}migrations`);
      const rows = new Map<string, Row[]>();
      for (const name of await filled(query, names)) rows.set(name, await query(`SELECT * FROM ${name}`));
      return { tablePrefix, names, rows };
    });
  }
}

/** Those that have a row. */
async function filled(query: Query, names: readonly string[]): Promise<string[]> {
  const looks = names.map(
    (name) => `SELECT '${name}' AS name FROM (SELECT 1 AS one) look WHERE EXISTS (SELECT 1 FROM ${name})`,
  );
  return (await query(looks.join(' UNION ALL '))).map(({ name }) => String(name));
}

/** Of numbers and texts, which is what migrations write. */
function insertion(name: string, row: Row): string {
  const values = Object.values(row).map((value) => (value === null ? 'NULL' : `'${String(value)}'`));
  return `INSERT INTO ${name} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
}
