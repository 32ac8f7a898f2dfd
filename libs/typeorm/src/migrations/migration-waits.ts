/** Another node that migrates is waited for no longer. */
const LONGEST_GUARD_WAIT_MS = 120_000;
/** A session of a migration in which nothing happens for so long has lost its node: it must not keep the guard. */
const LONGEST_IDLE_MS = 30_000;
/**
 * For a lock on a table. While a change of the table waits behind one long reader, a backup for instance, everything else that wants the
 * table waits behind the change: all nodes that serve. Longer than a server takes to end its own housekeeping for it (1 s).
 */
const LONGEST_LOCK_WAIT_MS = 2000;
/** Until a change that met a lock is tried again: the nodes that serve have twice as much time as they lose. */
const LOCK_PAUSE_MS = 2 * LONGEST_LOCK_WAIT_MS;
/** The server, which has the same limits, answers first. */
const GRACE_MS = 1000;

/** How long the statements of a start may take, in milliseconds. */
export class MigrationWaits {
  /** For the guard. */
  readonly guardMs: number;
  /** Between two statements. */
  readonly idleMs: number;
  /** Between two tries of a change that met a lock. */
  readonly lockPauseMs = LOCK_PAUSE_MS;

  /**
   * @param lookUpMs statements that look up and record
   * @param statementMs each statement of a migration
   */
  constructor(
    readonly lookUpMs: number,
    readonly statementMs: number,
  ) {
    this.guardMs = Math.min(LONGEST_GUARD_WAIT_MS, statementMs);
    this.idleMs = Math.min(LONGEST_IDLE_MS, statementMs);
  }

  /** How long this node waits for the answer to a statement of a migration, or for the guard. */
  clientLimit(limitMs: number): number {
    return limitMs + Math.min(GRACE_MS, this.lookUpMs);
  }

  /** For the transaction alone, so that it also is right behind a pooler that changes sessions. */
  get postgresSettings(): string {
    const settings = {
      lock_timeout: this.guardMs,
      idle_in_transaction_session_timeout: this.idleMs,
      // Longer than what is waited for the guard: the server would not say that it was a lock.
      statement_timeout: Math.max(this.statementMs, this.guardMs + GRACE_MS),
      tcp_keepalives_idle: 30,
      tcp_user_timeout: LONGEST_IDLE_MS,
    };
    const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
    return (
      `SELECT set_config(name, value, true) FROM (VALUES ${values.join(', ')}) AS settings (name, value) ` +
      'WHERE current_setting(name, true) IS NOT NULL'
    );
  }

  /** For what follows in the transaction, once the guard is held. */
  get postgresTableLocks(): string {
    return `SET LOCAL lock_timeout = ${LONGEST_LOCK_WAIT_MS}`;
  }

  /** The guard is a lock of the session, so it is the session that ends when nothing happens. */
  get mysqlSettings(): string {
    const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
    return (
      `SET SESSION wait_timeout = ${seconds(this.idleMs)}, lock_wait_timeout = ${seconds(LONGEST_LOCK_WAIT_MS)}` +
      `/*M!100300 , max_statement_time = ${seconds(this.statementMs) + 1} *//*!80000 , max_execution_time = 0 */`
    );
  }

  get guardSeconds(): number {
    return Math.max(1, Math.ceil(this.guardMs / 1000));
  }
}
