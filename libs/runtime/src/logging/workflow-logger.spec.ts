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

  it('truncates long texts from outside', () => {
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

  it.each(['error', 'warn', 'log', 'debug', 'record', 'warnAbout', 'errorAbout'] as const)(
    'fails nothing when the logger of the application throws: %s',
    (method) => {
      const fails = (): never => {
        throw new Error('the log is closed');
      };
      const spies = (['error', 'warn', 'log', 'debug'] as const).map((level) =>
        jest.spyOn(Logger.prototype, level).mockImplementation(fails),
      );
      const logger = new WorkflowLogger('Test');
      const about = { owner: 'w', part: 'a' };
      const write = () =>
        method === 'warnAbout' || method === 'errorAbout' ? logger[method](about, 'text') : logger[method]('text');
      expect(write).not.toThrow();
      expect(spies.some((spy) => spy.mock.calls.length > 0)).toBe(true);
      for (const spy of spies) spy.mockRestore();
    },
  );

  describe('what happens thousands of times', () => {
    let lines: string[];
    let now: number;
    let logger: WorkflowLogger;

    beforeEach(() => {
      lines = [];
      now = 0;
      logger = new WorkflowLogger('Test', () => now);
      const note = (...[text]: unknown[]): void => void lines.push(String(text));
      for (const level of ['error', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(note);
    });
    afterEach(() => void jest.restoreAllMocks());

    const fail = (times: number, what = 'could not be given back') => {
      for (let n = 0; n < times; n++) logger.warn(`Message 19a${n}-f (start) ${what}: after ${n} ms`);
    };

    it('has a hundred lines a minute, and says that there were more', () => {
      fail(5000);
      expect(lines).toHaveLength(101);
      expect(lines[99]).toBe('Message 19a99-f (start) could not be given back: after 99 ms');
      expect(lines[100]).toBe('100 lines like the last one: further ones are suppressed for the rest of the minute.');
      now = 60_000;
      fail(1);
      expect(lines.slice(101)).toEqual([
        '4900 lines like the next one were suppressed before it.',
        'Message 19a0-f (start) could not be given back: after 0 ms',
      ]);
    });

    it('keeps nothing else from being logged', () => {
      fail(200);
      fail(1, 'is a dead letter');
      expect(lines.at(-1)).toContain('is a dead letter');
    });

    it('counts errors by what they say', () => {
      for (let n = 0; n < 200; n++) logger.error(new TypeError(`row ${n} is missing`));
      logger.error(new TypeError('no such table'));
      expect(lines).toHaveLength(102);
      expect(lines.at(-1)).toContain('no such table');
    });

    it('has a thousand lines a minute when each says something else', () => {
      for (let n = 0; n < 5000; n++)
        logger.error(`Path ${'abcdefghij'[n % 10]}${'x'.repeat(n % 280)}${'y'.repeat(n % 13)} failed`);
      expect(lines).toHaveLength(1001);
      expect(lines.at(-1)).toBe('1000 lines of Test: further ones are suppressed for the rest of the minute.');
    });

    describe('about different owners in the same words', () => {
      const about = (owner: string, part = 'a') => ({ owner, part });
      const flood = (lines: number, what: string) => {
        for (let n = 0; n < lines; n++) logger.errorAbout(about('flood', `part ${n % 50}`), what);
      };

      it('hides the first line of none, and counts each apart', () => {
        flood(10_000, 'out of coal');
        expect(lines.filter((line) => line.includes('out of coal')).length).toBeLessThanOrEqual(1001);
        lines.length = 0;
        for (const owner of ['one', 'two', 'three']) {
          logger.errorAbout(about(owner), 'out of coal');
          logger.warnAbout(about(owner), 'out of coal');
        }
        expect(lines).toEqual(['out of coal', 'out of coal', 'out of coal']);
      });

      it('has a hundred lines of each part of an owner', () => {
        for (let n = 0; n < 300; n++) for (const part of ['a', 'b']) logger.errorAbout(about('one', part), `coal ${n}`);
        expect(lines.filter((line) => line.startsWith('coal'))).toHaveLength(200);
        now = 60_000;
        logger.errorAbout(about('one'), 'coal 300');
        expect(lines.slice(-2)).toEqual(['200 lines like the next one were suppressed before it.', 'coal 300']);
      });

      it('is limited, however many owners there are', () => {
        for (let n = 0; n < 20_000; n++) logger.errorAbout(about(`owner ${n % 3000}`), 'out of coal');
        expect(lines.length).toBeLessThanOrEqual(2002);
      });
    });

    it('never omits lines that are not stored anywhere else', () => {
      for (let n = 0; n < 2000; n++) logger.record('An audit entry was not stored');
      expect(lines).toHaveLength(2000);
    });
  });
});
