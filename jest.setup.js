// ES modules get no `jest` global from Jest itself.
import { jest } from '@jest/globals';
import { ConsoleLogger, Logger } from '@nestjs/common';

globalThis.jest = jest;

// What the file before has made of it (`logger: false`) is static in Nest.
Logger.overrideLogger(['log', 'fatal', 'error', 'warn', 'debug', 'verbose']);
Logger.overrideLogger(new ConsoleLogger());

// In CI a test that fails has a second attempt, and is named if that one passes: see test/support/second-attempts.mjs.
const attempts = Number(process.env.WAYMARK_TEST_ATTEMPTS ?? 1);
if (attempts > 1) jest.retryTimes(attempts - 1, { logErrorsBeforeRetry: true });
