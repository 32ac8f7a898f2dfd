// ES modules get no `jest` global from Jest itself.
import { jest } from '@jest/globals';
import { ConsoleLogger, Logger } from '@nestjs/common';

globalThis.jest = jest;

// What the file before has made of it (`logger: false`) is static in Nest.
Logger.overrideLogger(['log', 'fatal', 'error', 'warn', 'debug', 'verbose']);
Logger.overrideLogger(new ConsoleLogger());
