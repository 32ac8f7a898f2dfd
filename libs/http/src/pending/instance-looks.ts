import type { Bookmark } from '@waymark/core';
import type { WorkflowPersistence } from '@waymark/runtime';
import type { LoadedInstance } from '@waymark/runtime/adapter';
import { HTTP_ENDPOINT } from '../endpoint/endpoint-payload.js';
import { keptRequests } from './kept-requests.js';

/** Instances of which is remembered which requests they keep. */
const MOST_REMEMBERED = 1000;
/** Of an instance with more places where it waits for requests, nothing is remembered. */
const MOST_PLACES = 100;

/** What is remembered of an instance. */
export interface KnownTokens {
  readonly revision: number;
  /** Hashes of the tokens of the requests that it keeps. */
  readonly hashes: ReadonlySet<string>;
  /** Where it waits for requests: one that was handed over may be stored for one of them. */
  readonly bookmarks: readonly Pick<Bookmark, 'id' | 'name'>[];
}

/**
 * Reads instances for those who ask for the status of a request. A URL has the id of an instance in clear, and a state may have megabytes:
 * with a wrong token, or all at once, they would be read and decoded time and again at the cost of a request each.
 */
export class InstanceLooks {
  private readonly remembered = new Map<string, KnownTokens>();
  /** For each instance, the last of those that read it one behind the other. */
  private readonly lines = new Map<string, Promise<LoadedInstance | undefined>>();

  constructor(private readonly instances: Pick<WorkflowPersistence['instances'], 'load' | 'readRevision'>) {}

  /** The state now, one reader of an instance at a time. Those behind share it as long as it has not been written. It must not be changed. */
  async load(id: string): Promise<LoadedInstance | undefined> {
    const line = this.loadBehind(id, this.lines.get(id));
    this.lines.set(id, line);
    try {
      return await line;
    } finally {
      if (this.lines.get(id) === line) this.lines.delete(id);
    }
  }

  private async loadBehind(
    id: string,
    others: Promise<LoadedInstance | undefined> | undefined,
  ): Promise<LoadedInstance | undefined> {
    const known = await others?.catch(() => undefined);
    if (known && (await this.isStill(id, known.revision))) return known;
    const loaded = await this.instances.load(id);
    if (loaded) this.remember(id, loaded);
    return loaded;
  }

  /** Whether the instance still has that revision. */
  async isStill(id: string, revision: number): Promise<boolean> {
    return (await this.instances.readRevision(id)) === revision;
  }

  /**
   * What is known of an instance that does not keep the request with that token; undefined: its state has to be read.
   * @param token its hash
   */
  async knownWithout(id: string, token: string): Promise<KnownTokens | undefined> {
    // Those who come at once wait for the first, who finds out.
    await this.lines.get(id)?.catch(() => undefined);
    const known = this.remembered.get(id);
    return known && !known.hashes.has(token) && (await this.isStill(id, known.revision)) ? known : undefined;
  }

  private remember(id: string, { state, revision }: LoadedInstance): void {
    this.remembered.delete(id);
    const places = state.bookmarks.filter(({ name }) => name === HTTP_ENDPOINT);
    if (places.length > MOST_PLACES) return;
    const hashes = new Set(keptRequests(state.properties).map(({ token }) => token));
    // Without their payloads, which may be large.
    const bookmarks = places.map((bookmark) => ({ id: bookmark.id, name: bookmark.name }));
    this.remembered.set(id, { revision, hashes, bookmarks });
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
  }
}
