import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ExceptionState, WorkflowExecutionContext } from '@waymark/core';
import { SystemClock } from '../clock/system-clock.js';
import { FaultLog, REPORTED_FAULTS } from './fault-log.js';
import { INLINE_BURST } from './messages.js';

const instanceOf = (transient: readonly (readonly [unknown, unknown])[]) =>
  ({
    id: 'i',
    graph: { definition: { definitionId: 'd', version: 1 }, findByNodeId: () => undefined },
    transient: new Map(transient),
  }) as unknown as WorkflowExecutionContext;
const instance = instanceOf([]);

const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
const told = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
afterEach(() => {
  logged.mockClear();
  told.mockClear();
});
afterAll(() => void jest.restoreAllMocks());

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

it('has the code of the error and of each cause that has one', () => {
  const coded = { ...cause, type: 'ConversionError', message: 'no number', metadata: { code: 'WM1101' } };
  const [text] = fault({ type: 'InputError', message: 'Input x', metadata: { code: 'WM2001' }, innerException: coded });
  expect(text).toMatch(/faulted: WM2001: Input x Caused by ConversionError: WM1101: no number$/);
});

it.each([undefined, {}, { code: '' }, { code: 'coal' }])(
  'has no code where the error has none, or says it: %j',
  (metadata) => {
    expect(fault({ type: 'Error', message: 'out of coal', metadata })[0]).toMatch(/faulted: out of coal$/);
  },
);

describe('a fault that the answer to a request reports', () => {
  const log = new FaultLog(new SystemClock());
  const reports = [REPORTED_FAULTS, ({ type }: ExceptionState) => type === 'InputValidationError'] as const;
  const fault = (type: string, wec: WorkflowExecutionContext): void =>
    log.faulted(wec, {
      activityNodeId: 'n',
      activityType: 'T',
      message: 'email must be an email',
      exception: { type, message: 'email must be an email', stackTrace: `${type}: \n    at engine` },
    });

  it('is logged at level debug without a stack, ten times a minute', () => {
    for (let count = 0; count < 20; count++) fault('InputValidationError', instanceOf([reports]));
    expect(logged).not.toHaveBeenCalled();
    expect(told).toHaveBeenCalledTimes(10);
    expect(told.mock.calls[0]).toEqual([
      'Activity "n" (T) of workflow "d" (version 1), instance "i", faulted, and the answer to the request says why: email must be an email',
    ]);
  });

  it('is logged as an error if it is another fault, or that of a workflow that was run in the burst', () => {
    fault('TypeError', instanceOf([reports]));
    fault('InputValidationError', instanceOf([reports, [INLINE_BURST, 1]]));
    expect(logged).toHaveBeenCalledTimes(2);
    expect(told).not.toHaveBeenCalled();
  });
});
