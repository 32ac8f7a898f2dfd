const UNIQUE_VIOLATION = '23505';

const TRANSIENT: ReadonlySet<string> = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available, when the host sets lock_timeout
]);

const DISCONNECTED: ReadonlySet<string> = new Set([
  '57P01', // the server shuts down
  '57P02',
  '57P03', // the server starts up
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
]);

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

export function isPostgresDuplicate(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

export function isPostgresTransient(error: unknown): boolean {
  return TRANSIENT.has(codeOf(error));
}

export function isPostgresDisconnect(error: unknown): boolean {
  const code = codeOf(error);
  return DISCONNECTED.has(code) || code.startsWith('08') || saysClosed(error);
}

/** pg gives no code when its socket closes, nor when a query is sent to a client that it knows to be broken. */
function saysClosed(error: unknown): boolean {
  return /connection terminated|not queryable|connection error/i.test(String((error as Error | null)?.message));
}
