import { expect, it } from '@jest/globals';
import { FaultError } from '../errors/execution-errors.js';
import { faultPayload, toExceptionState } from './exception-state.js';

it('the journal names a business fault as Elsa does, and any other by its name in JavaScript', () => {
  const fault = new FaultError({ code: 'E1', category: 'Orders', type: 'Business' }, 'Not in stock');
  expect(faultPayload(toExceptionState(fault))).toEqual({
    exception: 'Elsa.Workflows.Exceptions.FaultException',
    message: 'Not in stock',
    source: 'Elsa.Workflows.Core',
    data: expect.objectContaining({ code: 'E1' }),
    stackTrace: expect.any(String),
  });
  expect(faultPayload(toExceptionState(new TypeError('no')))).toEqual({
    exception: 'TypeError',
    message: 'no',
    data: {},
    stackTrace: expect.any(String),
  });
});
