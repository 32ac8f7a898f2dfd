// ES modules get no `jest` global from Jest itself.
import { jest } from '@jest/globals';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { seedOf } from './test/runner/random-inputs.mjs';

globalThis.jest = jest;

// What the file before has made of it (`logger: false`) is static in Nest.
Logger.overrideLogger(['log', 'fatal', 'error', 'warn', 'debug', 'verbose']);
Logger.overrideLogger(new ConsoleLogger());

// A draw repeats the random inputs as well: without it, a second attempt of a file would try other ones, and pass over what they have found.
// Without a draw, files that need no random inputs do not load fast-check.
const seed = seedOf(process.env.WAYMARK_TEST_DRAW);
if (seed !== undefined) {
  const fc = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
