import { type INestApplication, Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RuntimeGate } from '@waymark/runtime';
import { endConnections } from './end-connections.js';

/** As shells show an end by that signal. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;
type Signal = keyof typeof EXIT_CODES;

const UNFINISHED = 1;

/** Of the time, for answers that are under way; what is still sent then is cut off, so that the host closes all the same. */
const SHARE_FOR_ANSWERS = 0.9;

/**
 * Ends this process in order on SIGTERM or SIGINT, with code 0 when everything that was running has been stored. When the time
 * is over, or on a second signal, it ends at once, with another code: what was not stored is repeated by another node or at
 * the next start.
 *
 * Not by `enableShutdownHooks()`: that waits as long as it takes, and then ends by the signal.
 * @param timeoutMs in milliseconds of real time, for draining and closing together
 */
export function endOnSignals(app: NestFastifyApplication, timeoutMs: number): void {
  const logger = new Logger('Waymark');
  const waitNoLonger = endConnections(app);
  let isEnding = false;
  const onSignal = (signal: Signal): void => {
    if (isEnding) {
      logger.error(`${signal} came a second time: the process ends at once, with code ${EXIT_CODES[signal]}.`);
      process.exit(EXIT_CODES[signal]);
    }
    isEnding = true;
    logger.log(`${signal}: no new work is taken; what is running ends within ${timeoutMs / 1000} seconds.`);
    setTimeout(() => {
      logger.error(
        `The shutdown took longer than ${timeoutMs / 1000} seconds: the process ends with code ${UNFINISHED}.`,
      );
      process.exit(UNFINISHED);
    }, timeoutMs);
    setTimeout(waitNoLonger, timeoutMs * SHARE_FOR_ANSWERS);
    void close(app, logger);
  };
  for (const signal of Object.keys(EXIT_CODES) as Signal[]) process.on(signal, onSignal);
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
