import { type ApiError, toApiError } from '../api-error.js';
import type { Schedule } from '../schedule-by-browser.js';
import { readEvents, type ServerEvent } from './read-events.js';

export interface LiveStreamOptions {
  /** Asks for the stream. @throws ApiError */
  readonly open: (query: StreamQuery, signal: AbortSignal) => Promise<Response>;
  readonly schedule: Schedule;
  /** From 0 to 1: clients of a server that comes back do not come at once. */
  readonly random: () => number;
}

export interface StreamQuery {
  readonly lastEventId?: string;
  readonly workflowInstanceId?: readonly string[];
}

/** A server sends a heartbeat every 15 seconds. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Until an API without live updates is asked again: a newer one may have taken its place. */
const REFUSED_PAUSE_MS = 300_000;
/** The API follows no more by their ids: of more, it sends the changes of all. */
const MOST_IDS = 50;

/**
 * What becomes of instances and definitions, told by the server as it happens. It connects again when it must, and continues after
 * the last event that it has read. While `isOn` is false, no change is announced: ask instead.
 */
export class LiveStream {
  private on = false;
  private failure: ApiError | undefined;
  private told: ReadonlySet<string> = new Set();
  private run: AbortController | undefined;
  private cancelRestart: (() => void) | undefined;
  private lastEventId: string | undefined;
  private readonly followed = new Set<readonly string[]>();
  private readonly watchers = new Set<() => void>();
  private readonly listeners = new Set<(event: ServerEvent) => void>();

  constructor(private readonly options: LiveStreamOptions) {}

  get isOn(): boolean {
    return this.on;
  }

  /** Why the server was not reached when it was last asked. One that refuses live updates was reached. */
  get outage(): ApiError | undefined {
    return this.failure;
  }

  /** Whether changes of this kind are announced now. */
  tells(topic: string): boolean {
    return this.on && this.told.has(topic);
  }

  start(): void {
    if (!this.run) this.begin();
  }

  stop(): void {
    this.run?.abort();
    this.run = undefined;
    this.set(false);
  }

  /**
   * From now on only of these instances, and of others that are followed. The server tells more of those: also what leaves no
   * journal, and what other nodes delete. @returns ends it
   */
  follow(instanceIds: readonly string[]): () => void {
    this.followed.add(instanceIds);
    this.restart();
    return () => {
      this.followed.delete(instanceIds);
      this.restart();
    };
  }

  /** Of each change of `isOn` and `outage`. */
  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Of each event; `ready` with `isFresh` says that what was read before may be old. */
  listen(listener: (event: ServerEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private begin(): void {
    this.run = new AbortController();
    void this.keepReading(this.run.signal);
  }

  /** One page leaves and another comes: one connection for both. */
  private restart(): void {
    this.cancelRestart?.();
    this.cancelRestart = this.options.schedule(0, () => {
      if (!this.run) return;
      this.run.abort();
      this.begin();
    });
  }

  private async keepReading(signal: AbortSignal): Promise<void> {
    for (let failures = 0; ; failures++) {
      let pauseMs: number | undefined;
      let failure: ApiError | undefined;
      try {
        await this.readOnce(signal, () => (failures = 0));
      } catch (error) {
        failure = toApiError(error);
        pauseMs = pauseAfter(failure);
      }
      if (signal.aborted) return;
      this.set(false, failure?.isOutage ? failure : undefined);
      const backOff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      await this.pause(pauseMs ?? backOff * (0.5 + this.options.random() / 2), signal);
      if (signal.aborted) return;
    }
  }

  private async readOnce(signal: AbortSignal, onReady: () => void): Promise<void> {
    const { lastEventId } = this;
    const connection = new AbortController();
    const end = () => connection.abort();
    signal.addEventListener('abort', end);
    // Also of a request that is not answered.
    let cancelSilence = this.options.schedule(SILENCE_MS, end);
    try {
      const response = await this.options.open(this.query(), connection.signal);
      await readEvents(response.body!, {
        onSign: () => {
          cancelSilence();
          cancelSilence = this.options.schedule(SILENCE_MS, end);
        },
        onPosition: (id) => (this.lastEventId = id),
        onEvent: (event) => {
          if (signal.aborted) return;
          if (event.name !== 'ready') return this.tell(event);
          onReady();
          // A server of a version before does not say; it told of instances and definitions.
          const { topics = ['instances', 'definitions'] } = event.data as { topics?: readonly string[] };
          this.told = new Set(topics);
          this.tell({ name: 'ready', data: { isFresh: lastEventId === undefined } });
          this.set(true);
        },
      });
    } finally {
      cancelSilence();
      signal.removeEventListener('abort', end);
      connection.abort();
    }
  }

  private query(): StreamQuery {
    const ids = [...new Set([...this.followed].flat())];
    return {
      ...(this.lastEventId === undefined ? {} : { lastEventId: this.lastEventId }),
      ...(ids.length === 0 || ids.length > MOST_IDS ? {} : { workflowInstanceId: ids }),
    };
  }

  private pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.options.schedule(milliseconds, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }

  private tell(event: ServerEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  private set(isOn: boolean, failure?: ApiError): void {
    if (this.on === isOn && this.failure === failure) return;
    this.on = isOn;
    this.failure = failure;
    for (const watcher of this.watchers) watcher();
  }
}

/** Undefined: longer with each failure. */
function pauseAfter({ status, retryAfterSeconds }: ApiError): number | undefined {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000;
  return status >= 400 && status < 500 ? REFUSED_PAUSE_MS : undefined;
}
