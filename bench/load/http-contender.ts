import type { Contender, Sample } from '../measure/in-turns.js';
import type { MeasuredProcess } from '../processes/measured-process.js';
import type { Load, LoadResult } from './load-generator.js';

/** A server under load. `reset` runs before each measurement, outside of the measured time. */
export function httpContender(
  name: string,
  server: MeasuredProcess,
  load: { generator: MeasuredProcess; url: string; connections: number; reset?: () => Promise<unknown> },
): Contender {
  return {
    name,
    async measure(seconds: number): Promise<Sample> {
      await load.reset?.();
      const before = await server.call<NodeJS.CpuUsage>('cpu');
      const { url, connections } = load;
      const result = await load.generator.call<LoadResult>('run', { url, connections, seconds } satisfies Load);
      const after = await server.call<NodeJS.CpuUsage>('cpu');
      const cpu = after.user - before.user + after.system - before.system;
      return { perSecond: result.perSecond, cpuMicros: cpu / result.requests, p99Millis: result.p99Millis };
    },
  };
}
