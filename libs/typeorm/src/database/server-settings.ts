/**
 * What a session of ours asks of the server, so that nothing of it outlives us: a host that loses power in a transaction
 * keeps its locks until the server ends that transaction, and each wait for a lock keeps a connection.
 */

/** Longest wait for a lock in one try. Tried again within the patience, from a place where it is in no other's way. */
const LOCK_WAIT_MS = 500;
/** MySQL and MariaDB know whole seconds only. */
const LOCK_WAIT_S = 1;
/** The server ends a transaction in which nothing happens for so long. In ours nothing ever waits but a process that stands still. */
const IDLE_TRANSACTION_S = 5;
/** MySQL knows no such limit, only one for sessions; a pool opens another one. */
const MYSQL_IDLE_SESSION_S = 30;

/**
 * @param statementTimeoutMs for each statement
 * @param scope behind a pooler that changes sessions, a transaction is all that is ours
 */
export function postgresSettings(statementTimeoutMs: number, scope: 'session' | 'transaction' = 'session'): string {
  const settings = {
    lock_timeout: LOCK_WAIT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_S * 1000,
    statement_timeout: statementTimeoutMs,
    // Of a client that is gone, in seconds and milliseconds; without effect on local sockets.
    tcp_keepalives_idle: 30,
    tcp_user_timeout: 30_000,
    // A plan that was made while a table was empty reads all of it, and would be kept while a backlog fills the table, until
    // autovacuum comes by: a prepared DELETE by id then takes 20 ms instead of 0.1.
    plan_cache_mode: 'force_custom_plan',
    // The server takes a look-up with several ways for expensive, and compiles it for seconds: 2.4 s for one of 13 ms.
    jit: 'off',
  };
  const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  // By a query and not by SET, which would fail as a whole where an older server does not know one of them.
  return (
    `SELECT set_config(name, value, ${scope === 'transaction'}) FROM (VALUES ${values.join(', ')}) AS settings (name, value) ` +
    'WHERE current_setting(name, true) IS NOT NULL'
  );
}

/**
 * For a transaction whose statements find their rows by one index each. Their plans are kept, which saves the server a quarter of its
 * time, and are of use however the tables grow: made while a table is empty, they still cannot read all of it, nor sort what an index has
 * in order.
 */
export const POSTGRES_KEPT_PLANS = [
  'plan_cache_mode = force_generic_plan',
  'enable_seqscan = off',
  'enable_bitmapscan = off',
  'enable_sort = off',
]
  .map((setting) => `SET LOCAL ${setting}`)
  .join('; ');

/** @param statementTimeoutMs for each statement; on MySQL for each SELECT */
export function mysqlSettings(statementTimeoutMs: number): string {
  const seconds = statementTimeoutMs / 1000;
  return (
    // A server may be set up to take backslashes for themselves, or to read other bytes than those the client names.
    'SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci; ' +
    "SET SESSION sql_mode = REPLACE(@@sql_mode, 'NO_BACKSLASH_ESCAPES', ''), " +
    `innodb_lock_wait_timeout = ${LOCK_WAIT_S}, lock_wait_timeout = ${Math.max(1, Math.ceil(seconds))}` +
    // In comments that only the one and only the other of the two carries out.
    `/*M!100300 , idle_transaction_timeout = ${IDLE_TRANSACTION_S}, max_statement_time = ${seconds} */` +
    `/*!80000 , wait_timeout = ${MYSQL_IDLE_SESSION_S}, max_execution_time = ${statementTimeoutMs} */`
  );
}

/** For the sessions of an application, whose statements may need more time than ours. */
export const MYSQL_LOCK_LIMITS = `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_S}/*M!100300 , idle_transaction_timeout = ${IDLE_TRANSACTION_S} */`;

/** How a session reads texts, once it is set up. */
export const MYSQL_TEXT_MODE = 'SELECT @@character_set_client AS charset, @@sql_mode AS mode';

/** How to find out whether sessions are protected; what a row answers is missing. */
export interface Protections {
  /** Answers the `name` of each setting that the session lacks. */
  readonly gaps: string;
  readonly advice: string;
}

export const POSTGRES_PROTECTIONS: Protections = {
  gaps:
    "SELECT name FROM pg_settings WHERE (name = 'lock_timeout' AND CAST(setting AS integer) NOT BETWEEN 1 AND 15000) " +
    "OR (name = 'idle_in_transaction_session_timeout' AND CAST(setting AS integer) NOT BETWEEN 1 AND 60000)",
  advice:
    `lock_timeout = '${LOCK_WAIT_MS}ms' and idle_in_transaction_session_timeout = '${IDLE_TRANSACTION_S}s', ` +
    'for example by ALTER ROLE … SET',
};

export const MYSQL_PROTECTIONS: Protections = {
  gaps:
    'SELECT name FROM (' +
    "SELECT 'innodb_lock_wait_timeout' AS name, @@SESSION.innodb_lock_wait_timeout > 15 AS is_gap" +
    "/*M!100300 UNION ALL SELECT 'idle_transaction_timeout', @@SESSION.idle_transaction_timeout NOT BETWEEN 1 AND 60 */" +
    ') settings WHERE is_gap',
  advice:
    `innodb_lock_wait_timeout = ${LOCK_WAIT_S} and, on MariaDB, idle_transaction_timeout = ${IDLE_TRANSACTION_S}, ` +
    'for the server or by SET SESSION on every connection of the pool',
};
