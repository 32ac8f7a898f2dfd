import { ApiError } from './api-error.js';
import { type Schedule, scheduleByBrowser } from './schedule-by-browser.js';

const FIRST_MS = 30_000;
const LONGEST_MS = 480_000;

/**
 * Aborts requests that are not answered in time. After a change of network, or behind a proxy that lost the connection, the browser would
 * wait for many minutes, and so would all that is sent after the request. The limit doubles with each request that was aborted, since a
 * large definition takes long on a slow line, and is reset by an answer.
 */
export class AnswerLimit {
  private limitMs = FIRST_MS;

  constructor(private readonly schedule: Schedule = scheduleByBrowser) {}

  /** @throws ApiError with status 0 when there was no answer in time: what was asked for may be done */
  async ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const connection = new AbortController();
    let cancel = () => {};
    const ended = new Promise<never>((_resolve, reject) => {
      cancel = this.schedule(this.limitMs, () => {
        this.limitMs = Math.min(LONGEST_MS, this.limitMs * 2);
        // Before the abort: the error that the request rejects with would be reported otherwise.
        reject(new ApiError({ status: 0 }));
        connection.abort();
      });
    });
    try {
      const answer = await Promise.race([request(connection.signal), ended]);
      this.limitMs = FIRST_MS;
      return answer;
    } finally {
      cancel();
    }
  }
}
