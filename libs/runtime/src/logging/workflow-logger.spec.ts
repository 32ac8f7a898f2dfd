import { Logger } from '@nestjs/common';
import { logText } from './log-text.js';
import { WorkflowLogger } from './workflow-logger.js';

describe('logText', () => {
  it.each([
    ['a\nb\r\nc', 'a\\nb\\r\\nc'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['a\u2028b\u202ec\u009bd', 'a\\u2028b\\u202ec\\u009bd'],
    ['tab\tand ü', 'tab\tand ü'],
  ])('shows what a terminal would act on: %j', (text, shown) => expect(logText(text)).toBe(shown));

  it('keeps the lines of a stack, but not those of its message', () => {
    expect(logText('Error: a\n[Nest] forged\n    at f (x.js:1:1)\n    at g (x.js:2:1)')).toBe(
      'Error: a\\n[Nest] forged\n    at f (x.js:1:1)\n    at g (x.js:2:1)',
    );
  });

  it('shortens what a stranger made long', () => {
    expect(logText('x'.repeat(1_000_000)).length).toBeLessThan(11_000);
  });
});

describe('WorkflowLogger', () => {
  it.each(['error', 'warn', 'log', 'debug'] as const)('cleans messages and stacks: %s', (level) => {
    const seen: unknown[] = [];
    const spy = jest
      .spyOn(Logger.prototype, level)
      .mockImplementation((...parts: unknown[]) => void seen.push(...parts));
    new WorkflowLogger('Test')[level]('an id\nthat lies', 'Error: x\ny\n    at f (x.js:1:1)', { kept: 1 });
    spy.mockRestore();
    expect(seen).toEqual(['an id\\nthat lies', 'Error: x\\ny\n    at f (x.js:1:1)', { kept: 1 }]);
  });
});
