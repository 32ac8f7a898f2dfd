import { expect, test } from '@jest/globals';
import { testScope, type TestScopeParts } from '../test-scope.spec.js';
import { direct, inSandbox, shown } from './both-ways.spec.js';
import { LEFT_TO_SANDBOX } from './direct-script.js';

const parts: TestScopeParts = {
  variables: {
    Wait: '00:10:00',
    Long: '1.00:00:00',
    Short: '23:00:00',
    Id: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
    Same: 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE',
    Text: '10:00:00',
    Order: { Days: 3, note: '00:10:00' },
  },
  types: { Wait: 'TimeSpan', Long: 'TimeSpan', Short: 'TimeSpan', Id: 'Guid', Same: 'Guid', Text: 'String' },
};

// Branches without a member of .NET came to other values than the sandbox: a text is never more than 0.
test.each([
  'getWait() > 0 ? getWait().TotalMinutes : 5',
  'variables.Wait > 0 ? variables.Wait.TotalMinutes : 5',
  'variables["Wait"] > 0 ? variables.Wait.TotalMinutes : 5',
  'getVariable("Wait") > 0 ? getVariable("Wait").TotalMinutes : 5',
  'getVariable("Wait", 1) > 0 ? getVariable("Wait").TotalMinutes : 5',
  'getLong() > getShort() ? "longer" : getShort().TotalHours',
  'getLong() - getShort() || getLong().TotalDays',
  'getId() == getSame() ? "same" : getId().ToString("N")',
  'typeof getWait() === "string" ? 0 : getWait().Ticks',
  'parseGuid(getText() ? getId() : "") === getSame() ? "same" : getSame().ToByteArray()',
])('a text that is a value of .NET is left to the sandbox: %s', async (source) => {
  expect(direct(source, testScope(parts))).toBe(LEFT_TO_SANDBOX);
  expect(await inSandbox(source, testScope(parts))).not.toMatch(/failed/);
});

test.each([
  'getOrder().Days > 2 ? getOrder().Days : getOrder().note',
  'getOrder().note > "00" ? getOrder().Days : 0',
  'getText() > "09" ? getText() : getText().Hours',
  'getVariable("Text") === "10:00:00" ? 1 : getVariable("Text").Days',
  'getWait() > getShort() ? "longer" : getWait()',
])('other texts and other scripts are not: %s', async (source) => {
  const value = direct(source, testScope(parts));
  expect(value).not.toBe(LEFT_TO_SANDBOX);
  expect(shown(value)).toBe(await inSandbox(source, testScope(parts)));
});
