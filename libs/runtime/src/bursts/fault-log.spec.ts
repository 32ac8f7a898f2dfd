import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ExceptionState, WorkflowExecutionContext } from '@waymark/core';
import { SystemClock } from '../clock/system-clock.js';
import { FaultLog } from './fault-log.js';

const instance = {
  id: 'i',
  graph: { definition: { definitionId: 'd', version: 1 }, findByNodeId: () => undefined },
} as unknown as WorkflowExecutionContext;

const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
afterEach(() => void logged.mockClear());

function fault(exception: ExceptionState): unknown[] {
  const { message } = exception;
  new FaultLog(new SystemClock()).faulted(instance, { activityNodeId: 'n', activityType: 'T', message, exception });
  return logged.mock.calls[0]!;
}

const cause = {
  type: 'TypeError',
  message: 'no banana',
  stackTrace: 'TypeError: no banana\n    at build (order.ts:5:1)',
};

it('has the stack of the code that failed, not that of the engine around it', () => {
  const wrapper = {
    type: 'InputError',
    message: 'Input',
    stackTrace: 'InputError: Input\n    at engine',
    innerException: cause,
  };
  expect(fault({ ...wrapper, metadata: { code: 'WM2001' } })[1]).toBe(cause.stackTrace);
  logged.mockClear();
  expect(fault(wrapper)[1]).toBe(wrapper.stackTrace);
});

it('does not repeat the message of a cause that the error has in its own', () => {
  const [text] = fault({ type: 'InputError', message: 'Input x: no banana', innerException: cause });
  expect(text).toMatch(/faulted: Input x: no banana$/);
});
