import type { ExpectedDefinition, LoadedDefinition } from '@waymark/runtime';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';

type Tagged = Pick<LoadedDefinition, 'id' | 'revision'>;

// Weak ones as well, and with an addition: large answers add a hash, proxies that compress make tags weak or append their name. The
// version that they name is the same.
const TAG = /(?:W\/)?"([^".]*)\.(\d+)(?:[.-][^"]*)?"/g;

/** Names the version and its revision, so that a client can save over what it has read, and over nothing else. */
export function tag(reply: HttpReply, { id, revision }: Tagged): void {
  reply.header('ETag', `"${encodeURIComponent(id).replaceAll('.', '%2E')}.${revision}"`);
}

/** What `If-Match` expects, where one that no answer of ours had matches nothing; or `If-None-Match: *`: that there is none. */
export function expectedBy({ headers }: HttpRequest): ExpectedDefinition | undefined {
  const text = headers['if-match']?.trim();
  if (text === undefined || text === '') return headers['if-none-match']?.trim() === '*' ? 'none' : undefined;
  if (text === '*') return 'any';
  return Array.from(text.matchAll(TAG), ([, id, revision]) => ({ id: decoded(id!), revision: Number(revision) }));
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
