/** Codes of Node's sockets and name look-ups when a server cannot be reached, or not any more. */
const NETWORK: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The code of an error of Node or of a driver; empty when it has none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** The network lost the connection, or did not give one. */
export function isNetworkError(error: unknown): boolean {
  return NETWORK.has(codeOf(error));
}

/** For drivers that give no code when their socket closes. */
export function says(error: unknown, pattern: RegExp): boolean {
  return pattern.test(String((error as Error | null)?.message));
}
