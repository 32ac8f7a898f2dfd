import { type INestApplication, Logger } from '@nestjs/common';
import { RuntimeGate } from '@waymark/runtime';

/** As shells show an end by that signal. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;
type Signal = keyof typeof EXIT_CODES;

const UNFINISHED = 1;

/** In milliseconds. A terminal sends Ctrl-C to all of its processes, and npm passes on what it gets: the host gets one signal twice. */
const SAME_SIGNAL_MS = 500;

/** Of the time, for answers that are under way; what is still sent then is cut off, so that the host closes all the same. */
const SHARE_FOR_ANSWERS = 0.9;

/** What signals end. */
export interface EndOnSignals {
  /**
   * From now on signals close the application, which has started.
   * @param waitNoLonger see `endConnections`
   */
  closes(app: INestApplication, waitNoLonger: () => void): void;
}

/**
 * Ends this process in order on SIGTERM or SIGINT, with code 0 when everything that was running has been stored. When the time
 * is over, or on a second signal (the same within half a second counts once), it ends at once, with another code: what was not stored is repeated by another node or at
 * the next start. So it does before the application has started, such as while that waits for its database.
 *
 * Not by `enableShutdownHooks()`: that waits as long as it takes, and then ends by the signal.
 * @param timeoutMs in milliseconds of real time, for draining and closing together
 */
export function endOnSignals(timeoutMs: number): EndOnSignals {
  const logger = new Logger('Waymark');
  let started: { app: INestApplication; waitNoLonger: () => void } | undefined;
  let first: { signal: Signal; at: number } | undefined;
  const onSignal = (signal: Signal): void => {
    const code = EXIT_CODES[signal];
    if (!started) {
      process.stderr.write(`${signal} before the host was ready: the process ends with code ${code}.\n`);
      process.exit(code);
    }
    if (first) {
      if (signal === first.signal && performance.now() - first.at < SAME_SIGNAL_MS) return;
      logger.error(`${signal} a second time: the process ends at once, with code ${code}.`);
      process.exit(code);
    }
    first = { signal, at: performance.now() };
    logger.log(`${signal}: no new work is accepted; running work has ${timeoutMs / 1000} seconds to finish.`);
    setTimeout(() => {
      logger.error(
        `The shutdown took longer than ${timeoutMs / 1000} seconds: the process ends with code ${UNFINISHED}.`,
      );
      process.exit(UNFINISHED);
    }, timeoutMs);
    setTimeout(started.waitNoLonger, timeoutMs * SHARE_FOR_ANSWERS);
    void close(started.app, logger);
  };
  for (const signal of Object.keys(EXIT_CODES) as Signal[]) process.on(signal, onSignal);
  return {
    closes(app, waitNoLonger) {
      started = { app, waitNoLonger };
    },
  };
}

async function close(app: INestApplication, logger: Logger): Promise<void> {
  const gate = app.get(RuntimeGate);
  try {
    await app.close();
  } catch (error) {
    logger.error('The shutdown failed.', (error as Error | undefined)?.stack);
    process.exit(UNFINISHED);
  }
  process.exit(gate.activeBursts === 0 ? 0 : UNFINISHED);
}
