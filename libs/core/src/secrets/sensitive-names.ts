/**
 * Names of headers, query parameters and members whose values are credentials. Compared without regard to case, `-` and
 * `_`: `x-api-key` is also `xApiKey` and `X_API_KEY`. Plain `token` is not among them: pages and cursors are called so.
 */
export const SENSITIVE_NAMES: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-amz-security-token',
  'x-functions-key',
  'x-goog-api-key',
  'x-vault-token',
  'private-token',
  'x-gitlab-token',
  'ocp-apim-subscription-key',
  'auth-token',
  'access-token',
  'refresh-token',
  'id-token',
  'bearer-token',
  'client-secret',
  'client-assertion',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'secret-key',
  'secret-access-key',
  'private-key',
  'connection-string',
];

/** Compares as equal what differs only in case and in how words are joined. */
export const sameSpelling = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');
