import type { LiveEvent, LiveFilter, LiveTopic } from './live-events.js';

/** A client of the feed. */
export interface LiveSubscriber {
  /** Instance ids may be added while it follows. */
  readonly wanted: LiveFilter;
  /** If true, it has ended and receives nothing more. */
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  /** @param text the event in the format of server-sent events, rendered once for all subscribers */
  tell(event: LiveEvent, text: string): void;
  /** Too much has changed to report each change: the client has to read everything again. */
  reset(topic: LiveTopic): void;
  /** Text for streams only: heartbeats, and the position from which a client resumes. */
  note(text: string): void;
  /** Whether the credentials of the client have expired. */
  hasEnded(now: number): boolean;
  end(reason: 'shutdown' | 'login'): void;
}
