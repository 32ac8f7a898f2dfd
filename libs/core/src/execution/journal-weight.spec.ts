import { seq, W } from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';
import { inAnyCasing } from '../values/any-casing.js';
import { withUnreadMember } from '../values/unread-member.js';
import { JournalWeight } from './journal-weight.js';

const MEGABYTE = 1_000_000;
const weightOf = (...values: unknown[]): number => {
  const weight = new JournalWeight();
  for (const value of values) weight.add(value);
  return weight.chars;
};

describe('the weight of a journal', () => {
  it('is the length of its texts, wherever they are', () => {
    expect(weightOf('x'.repeat(50), 'y'.repeat(50))).toBe(100);
    expect(weightOf({ a: [{ b: 'x'.repeat(MEGABYTE) }] })).toBeGreaterThanOrEqual(MEGABYTE);
    expect(weightOf(Buffer.alloc(MEGABYTE))).toBeGreaterThanOrEqual(MEGABYTE);
    expect(weightOf(1, null, undefined, true)).toBe(0);
  });

  it('counts names, and eight characters for each member, element, number and object', () => {
    expect(weightOf({})).toBe(8);
    expect(weightOf({ name: 'abc', flag: true })).toBe(8 + (4 + 8 + 3) + (4 + 8 + 8));
    expect(weightOf(['ab', 7, [null]])).toBe(8 + 3 * 8 + 2 + 8 + (8 + 8 + 8));
    expect(weightOf([Buffer.alloc(100)])).toBe(8 + 8 + 100);
  });

  it('counts a large value once, and again after the journal was taken', () => {
    const text = 'x'.repeat(MEGABYTE);
    const list = [text];
    const weight = new JournalWeight();
    for (let i = 0; i < 10; i++) for (const value of [text, list]) weight.add(value);
    expect(weight.chars).toBeLessThan(2.1 * MEGABYTE);
    weight.clear();
    weight.add(text);
    expect(weight.chars).toBe(MEGABYTE);
  });

  it('stops at endless values, and counts values that it has not searched as large', () => {
    const endless: unknown[] = [];
    endless.push(endless, endless);
    expect(weightOf(endless)).toBeGreaterThanOrEqual(MEGABYTE);
    const hidden = [...Array<number>(20_000).fill(0), 'x'.repeat(MEGABYTE)];
    expect(weightOf(hidden)).toBeGreaterThanOrEqual(MEGABYTE);
    expect(weightOf(Object.fromEntries(hidden.map((value, i) => [`m${i}`, value])))).toBeGreaterThanOrEqual(MEGABYTE);
  });

  it('counts the readable part of an unreadable value, and leaves the error to the code that stores it', () => {
    const failing = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('getter');
      },
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(weightOf({ failing, text: 'x'.repeat(50) }, proxy)).toBeGreaterThanOrEqual(50);
  });

  it('calls no getter: that of an uploaded file reads all of it', () => {
    const content = jest.fn(() => 'x'.repeat(MEGABYTE));
    weightOf(Object.defineProperty({}, 'content', { enumerable: true, get: content }));
    expect(content).not.toHaveBeenCalled();
  });

  it('reads no content of a file, whose members are read in any casing', () => {
    const content = jest.fn(() => new Uint8Array(MEGABYTE));
    const file = inAnyCasing(withUnreadMember({ filename: 'a.txt' }, 'bytes', content));
    expect(weightOf(file, { files: [file] })).toBeLessThan(200);
    expect(content).not.toHaveBeenCalled();
  });

  it('counts headers, which are read in any casing, as it counts any other object', () => {
    const headers = { Host: 'localhost', Accept: ['a', 'b'] };
    expect(weightOf(inAnyCasing({ ...headers }))).toBe(weightOf(headers));
  });

  it('makes a burst commit half-way before a few steps with large texts fill the memory', async () => {
    const held: number[] = [];
    const lines = Array.from({ length: 60 }, (_, i) => W(`w${i}`, () => `${'x'.repeat(MEGABYTE)}${i}`));
    await new WorkflowTest().start(seq('S', lines), {
      onCheckpoint: async ({ journal }) => {
        const { records } = journal!.take();
        held.push(JSON.stringify(records).length);
      },
    });
    expect(held.length).toBeGreaterThan(4);
    expect(Math.max(...held)).toBeLessThan(12 * MEGABYTE);
  });

  it('makes bursts that run at the same time commit earlier than one alone', async () => {
    const commitsOf = async (bursts: number): Promise<number[]> => {
      let arrived = 0;
      let letAllGoOn!: () => void;
      const allAreThere = new Promise<void>((resolve) => (letAllGoOn = resolve));
      const test = new WorkflowTest({
        // Each waits for the others in its first step.
        activityMiddleware: [
          async ({ node }, next) => {
            if (node.id === 'w0' && ++arrived === bursts) letAllGoOn();
            if (node.id === 'w0') await allAreThere;
            await next();
          },
        ],
      });
      const lines = Array.from({ length: 6 }, (_, i) => W(`w${i}`, () => `${'x'.repeat(MEGABYTE)}${i}`));
      const commits = Array.from({ length: bursts }, () => 0);
      await Promise.all(
        commits.map((_, i) =>
          test.start(seq('S', lines), {
            onCheckpoint: async ({ journal }) => {
              commits[i]!++;
              journal!.take();
            },
          }),
        ),
      );
      return commits;
    };
    expect(await commitsOf(1)).toEqual([0]);
    expect(Math.min(...(await commitsOf(16)))).toBeGreaterThan(1);
  });

  it('makes a burst commit only at its end when its steps show the same large text', async () => {
    const text = 'x'.repeat(MEGABYTE);
    const onCheckpoint = jest.fn(async () => undefined);
    await new WorkflowTest().start(
      seq(
        'S',
        Array.from({ length: 60 }, (_, i) => W(`w${i}`, () => text)),
      ),
      {
        onCheckpoint,
      },
    );
    expect(onCheckpoint).not.toHaveBeenCalled();
  });
});
