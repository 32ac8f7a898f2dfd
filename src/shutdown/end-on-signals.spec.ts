import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import { endOnSignals } from './end-on-signals.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const before = SIGNALS.map((signal) => process.listeners(signal));
let exit: jest.SpiedFunction<typeof process.exit>;

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  // One that still drains.
  const app = { get: () => undefined, close: () => new Promise(() => undefined) };
  endOnSignals(30_000).closes(app as unknown as INestApplication, () => undefined);
});
afterEach(() => {
  for (const [i, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal)) {
      if (!before[i]!.includes(listener)) process.removeListener(signal, listener);
    }
});

it('treats a signal of a terminal and its copy from npm as one signal', () => {
  process.emit('SIGINT', 'SIGINT');
  jest.advanceTimersByTime(20);
  process.emit('SIGINT', 'SIGINT');
  expect(exit).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1000);
  process.emit('SIGINT', 'SIGINT');
  expect(exit).toHaveBeenCalledWith(130);
});

it('ends at once on another signal', () => {
  process.emit('SIGTERM', 'SIGTERM');
  process.emit('SIGINT', 'SIGINT');
  expect(exit).toHaveBeenCalledWith(130);
});
