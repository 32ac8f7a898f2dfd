import type { LiveEvent, LiveFilter, LiveTopic } from './live-events.js';

/** What the feed tells of changes. */
export interface LiveSubscriber {
  /** Instances that are named may be added while it follows. */
  readonly wanted: LiveFilter;
  /** Gone: it hears nothing any more. */
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  /** @param text the event as a stream sends it, made once for all of them */
  tell(event: LiveEvent, text: string): void;
  /** Too much has changed to tell of each: what is shown has to be read again. */
  reset(topic: LiveTopic): void;
  /** What only streams need: signs of life, and the position from which they go on. */
  note(text: string): void;
  /** When credentials were given for a time, whether that is over. */
  hasEnded(now: number): boolean;
  end(reason: 'shutdown' | 'login'): void;
}
