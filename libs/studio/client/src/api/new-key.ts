/** Names what is asked for, so that the server does it once: 128 random bits. `crypto.randomUUID` is missing where pages come without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
