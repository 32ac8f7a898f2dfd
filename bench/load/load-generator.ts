import autocannon from 'autocannon';
import { serveParent } from '../processes/serve-parent.js';

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly requests: number;
  readonly p99Millis: number;
}

// A process of its own: with two cores, the server has one and the load the other.
serveParent({ run });

/** @throws when a single answer is not 2xx: numbers of a failing server would look splendid */
async function run({ url, connections, seconds }: Load): Promise<LoadResult> {
  // Sampled often, because autocannon ends with a sample.
  const result = await autocannon({ url, connections, duration: seconds, sampleInt: 50 });
  const { errors, timeouts, non2xx } = result;
  if (errors || timeouts || non2xx)
    throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts, ${non2xx} answers that are not 2xx`);
  const { total } = result.requests;
  return { perSecond: total / result.duration, requests: total, p99Millis: result.latency.p99 };
}
