import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import path from 'node:path';

export interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type Answer = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

/** What the parent wants this process to measure. */
export function argument<T>(): T {
  const given = process.argv[2] ?? '{}';
  // What is too long for a command line.
  return JSON.parse(path.isAbsolute(given) ? readFileSync(given, 'utf8') : given) as T;
}

export type Handlers = Readonly<Record<string, (argument: never) => unknown>>;

/**
 * Serves the calls of the benchmark from a process of its own: what is measured shares no event loop, heap or compiled
 * code with the one who measures. Ends when the parent says so or is gone.
 */
export function serveParent(handlers: Handlers, close: () => unknown = () => undefined): void {
  const all: Handlers = { ...handlers, ...profiling() };
  const end = async (): Promise<void> => {
    await close();
    process.exit(0);
  };
  process.on('disconnect', () => void end());
  process.on('message', (call: Call) => void answer(all, call));
  process.send!({ id: 0, value: 'ready' } satisfies Answer);
}

async function answer(handlers: Handlers, { id, name, argument: given }: Call): Promise<void> {
  try {
    process.send!({ id, value: await handlers[name]!(given as never) } satisfies Answer);
  } catch (error) {
    process.send!({ id, error: String((error as Error)?.stack ?? error) } satisfies Answer);
  }
}

/** Profiles between two calls, so that start-up and warm-up stay out of the picture. */
function profiling(): Handlers {
  const session = new Session();
  return {
    cpu: () => process.cpuUsage(),
    startProfile: async () => {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: 250 });
      await session.post('Profiler.start');
    },
    stopProfile: async (file: never) => {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      await writeFile(file, JSON.stringify(profile));
    },
  };
}
