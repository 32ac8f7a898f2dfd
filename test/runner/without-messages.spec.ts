import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { withoutMessages } from './without-messages.cjs';

const before = process.env.WAYMARK_TEST_SHOWN;
beforeEach(() => {
  delete process.env.WAYMARK_TEST_SHOWN;
});
afterEach(() => {
  if (before !== undefined) process.env.WAYMARK_TEST_SHOWN = before;
});

/** What the framework begins with when Jest gives it a way to send messages. */
function begunWith() {
  const send = () => {};
  const { initialize } = withoutMessages({ initialize: (options) => options });
  return { send, options: initialize({ sendMessageToJest: send, testPath: '/some.spec.ts' }) };
}

it('the framework sends no message for each test when no terminal shows them', () => {
  expect(begunWith().options).toEqual({ sendMessageToJest: undefined, testPath: '/some.spec.ts' });
});

it('the framework sends its messages when a terminal shows them', () => {
  process.env.WAYMARK_TEST_SHOWN = '1';
  const { send, options } = begunWith();
  expect(options).toEqual({ sendMessageToJest: send, testPath: '/some.spec.ts' });
});
