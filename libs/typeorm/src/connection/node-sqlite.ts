import type { SqliteHandle, SqliteStatement } from '../database/sqlite-handle.js';

/** The part of Node's own SQLite that is used; the types of Node 20 do not know it. */
interface NodeDatabase {
  readonly isTransaction?: boolean;
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  function(name: string, options: { deterministic: boolean }, body: (...values: unknown[]) => unknown): void;
  close(): void;
}

interface NodeStatement {
  columns(): readonly unknown[];
  all(...params: unknown[]): unknown[];
  get(...params: unknown[]): unknown;
  run(...params: unknown[]): { changes: number; lastInsertRowid: number };
}

type NodeDatabaseClass = new (file: string, options: { readOnly: boolean; timeout: number }) => NodeDatabase;

interface SqliteModule {
  readonly DatabaseSync: NodeDatabaseClass;
}

interface OpenOptions {
  readonly readonly?: boolean;
  readonly timeout?: number;
}

type SqliteDriver = new (file: string, options?: OpenOptions) => SqliteHandle;

/**
 * Node's own SQLite in the form of better-sqlite3, for TypeORM's `driver` option; undefined where Node has none (before
 * 22.16). Preferred where it exists: no native module to build, and the better-sqlite3 that TypeORM 1.1 asks for (12) has
 * aborted the process under load on Node 24.
 */
export function nodeSqliteDriver(): SqliteDriver | undefined {
  const builtin = process.getBuiltinModule?.('node:sqlite' as never) as SqliteModule | undefined;
  return builtin && tellsTransactions(builtin.DatabaseSync) ? driverOf(builtin.DatabaseSync) : undefined;
}

function driverOf(DatabaseSync: NodeDatabaseClass): SqliteDriver {
  return class extends NodeSqlite {
    constructor(file: string, { readonly: readOnly = false, timeout = 0 }: OpenOptions = {}) {
      super(new DatabaseSync(file, { readOnly, timeout }));
    }
  };
}

function tellsTransactions(DatabaseSync: NodeDatabaseClass): boolean {
  const probe = new DatabaseSync(':memory:', { readOnly: false, timeout: 0 });
  const tells = typeof probe.isTransaction === 'boolean';
  probe.close();
  return tells;
}

class NodeSqlite implements SqliteHandle {
  constructor(private readonly database: NodeDatabase) {}

  get inTransaction(): boolean {
    return this.database.isTransaction === true;
  }

  prepare(sql: string): SqliteStatement & { get(...params: unknown[]): unknown } {
    const statement = named(() => this.database.prepare(sql));
    return {
      reader: statement.columns().length > 0,
      all: (...params) => named(() => statement.all(...params)),
      get: (...params) => named(() => statement.get(...params)),
      run: (...params) => named(() => statement.run(...params)),
    };
  }

  exec(sql: string): void {
    named(() => this.database.exec(sql));
  }

  pragma(text: string): unknown {
    const statement = this.prepare(`PRAGMA ${text}`);
    return statement.reader ? statement.all() : [void statement.run()];
  }

  function(name: string, options: { deterministic: boolean }, body: (...values: unknown[]) => unknown): void {
    this.database.function(name, options, body);
  }

  close(): void {
    this.database.close();
  }
}

const CODES: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  18: 'SQLITE_TOOBIG',
  26: 'SQLITE_NOTADB',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};

/** Gives errors the codes of better-sqlite3; Node only has numbers. */
function named<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    // The low byte is the kind, the rest says more.
    const code = errcode === undefined ? undefined : (CODES[errcode] ?? CODES[errcode & 0xff]);
    if (code !== undefined) (error as { code?: string }).code = code;
    throw error;
  }
}
