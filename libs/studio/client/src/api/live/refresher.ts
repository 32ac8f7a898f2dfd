import type { Schedule } from '../schedule-by-browser.js';

/** Events that come together ask once. */
const GATHER_MS = 25;

/**
 * Reads again what has changed: at once when it is calm; in a storm of changes not before the last reading has ended and some time
 * has gone by.
 */
export class Refresher {
  private readonly subjects = new Map<string, { isWanted: boolean }>();

  constructor(private readonly schedule: Schedule) {}

  /** @param gapMs least time between two readings of this subject */
  want(subject: string, gapMs: number, read: () => Promise<unknown>): void {
    const known = this.subjects.get(subject);
    if (known) {
      known.isWanted = true;
      return;
    }
    const entry = { isWanted: false };
    this.subjects.set(subject, entry);
    this.schedule(GATHER_MS, () => {
      entry.isWanted = false;
      const goOn = () =>
        this.schedule(gapMs, () => {
          this.subjects.delete(subject);
          if (entry.isWanted) this.want(subject, gapMs, read);
        });
      // What cannot be read shows that itself.
      void read().then(goOn, goOn);
    });
  }
}
