import type { DataSource } from 'typeorm';

/** Between two statements of a fixture. */
const SEPARATOR = ';\n--\n';
/** Stands for the prefix of the tables. */
export const FIXTURE_PREFIX = 'wmfixture_';

type Family = 'sqlite' | 'mysql' | 'postgres';
type Row = Readonly<Record<string, unknown>>;

const FAMILIES: Readonly<Record<string, Family>> = {
  'better-sqlite3': 'sqlite',
  mysql: 'mysql',
  mariadb: 'mysql',
  postgres: 'postgres',
};

/** Tables with that prefix and all of their rows, as SQL. */
export async function dump(dataSource: DataSource, prefix: string): Promise<string> {
  const family = FAMILIES[dataSource.options.type]!;
  const tables = await tableNames(dataSource, family, prefix);
  const statements: string[] = [];
  for (const table of tables) statements.push(...(await createTable(dataSource, family, table)));
  for (const table of tables) statements.push(...(await insertRows(dataSource, family, table)));
  if (family === 'postgres') statements.push(...(await sequenceValues(dataSource, prefix)));
  return statements.map((statement) => statement.trim() + SEPARATOR).join('');
}

/** Makes the tables of a dump, under another prefix. */
export async function load(dataSource: DataSource, sql: string, prefix: string): Promise<void> {
  for (const statement of sql.split(SEPARATOR))
    if (statement.trim() !== '') await dataSource.query(statement.replaceAll(FIXTURE_PREFIX, prefix));
}

async function tableNames(dataSource: DataSource, family: Family, prefix: string): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(
    family === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '${prefix}%'`
      : `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE '${prefix}%'`,
  );
  return rows.map(({ name }) => name).sort();
}

async function createTable(dataSource: DataSource, family: Family, table: string): Promise<string[]> {
  if (family === 'postgres') return createPostgresTable(dataSource, table);
  if (family === 'mysql') {
    const [row]: Row[] = await dataSource.query(`SHOW CREATE TABLE ${table}`);
    return [row!['Create Table'] as string];
  }
  const rows: { sql: string }[] = await dataSource.query(
    `SELECT sql FROM sqlite_master WHERE tbl_name = '${table}' AND sql IS NOT NULL ORDER BY type DESC, name`,
  );
  return rows.map(({ sql }) => sql);
}

async function createPostgresTable(dataSource: DataSource, table: string): Promise<string[]> {
  const columns: Record<string, string | boolean | null>[] = await dataSource.query(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required, a.attidentity AS identity,
            pg_get_expr(d.adbin, d.adrelid) AS initial, CASE WHEN a.attcollation <> t.typcollation THEN c.collname END AS collation
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     LEFT JOIN pg_collation c ON c.oid = a.attcollation
     WHERE a.attrelid = '${table}'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
  );
  const sequences = columns.flatMap(({ initial }) => /nextval\('"?(\w+)"?'/.exec(String(initial ?? ''))?.[1] ?? []);
  const lines = columns.map(
    ({ name, type, required, initial, identity, collation }) =>
      `  "${name}" ${type}${collation ? ` COLLATE "${collation}"` : ''}${initial === null ? '' : ` DEFAULT ${initial}`}${identity ? ` GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY` : ''}${required ? ' NOT NULL' : ''}`,
  );
  const constraints: { name: string; definition: string }[] = await dataSource.query(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = '${table}'::regclass AND contype IN ('p', 'u', 'c') ORDER BY conname`,
  );
  const indexes: { name: string; definition: string }[] = await dataSource.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = '${table}' ORDER BY indexname`,
  );
  const named = new Set(constraints.map(({ name }) => name));
  return [
    ...sequences.map((name) => `CREATE SEQUENCE ${name}`),
    `CREATE TABLE ${table} (\n${lines.join(',\n')}\n)`,
    ...constraints.map(({ name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${definition}`),
    // Without the schema: it is made in that of the connection.
    ...indexes.filter(({ name }) => !named.has(name)).map(({ definition }) => definition.replace(/ ON \w+\./, ' ON ')),
  ];
}

async function sequenceValues(dataSource: DataSource, prefix: string): Promise<string[]> {
  const rows: { name: string; value: string | null }[] = await dataSource.query(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences WHERE sequencename LIKE '${prefix}%' ORDER BY sequencename`,
  );
  return rows.flatMap(({ name, value }) => (value === null ? [] : `SELECT setval('${name}', ${value})`));
}

async function insertRows(dataSource: DataSource, family: Family, table: string): Promise<string[]> {
  const rows: Row[] = await dataSource.query(`SELECT * FROM ${table}`);
  const quote = family === 'mysql' ? '`' : '"';
  const overriding = family === 'postgres' ? ' OVERRIDING SYSTEM VALUE' : '';
  return rows
    .map((row) => {
      const names = Object.keys(row).map((name) => quote + name + quote);
      return `INSERT INTO ${table} (${names.join(', ')})${overriding} VALUES (${Object.values(row)
        .map((v) => literalOf(v, family))
        .join(', ')})`;
    })
    .sort();
}

function literalOf(value: unknown, family: Family): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value).toString('hex');
    return family === 'postgres' ? `'\\x${hex}'` : `x'${hex}'`;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const quoted = text.replaceAll("'", "''");
  return family === 'mysql' ? `'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}
