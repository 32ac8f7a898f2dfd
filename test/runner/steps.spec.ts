import { expect, it } from '@jest/globals';
import { runSteps, type Step } from '../../scripts/steps.mjs';

/** Steps that end when the test says so. */
class Play {
  readonly begun: string[] = [];
  readonly notBegun: Promise<string[]>;
  private readonly ends = new Map<string, (outcome: { ok: boolean; isForgiven?: boolean }) => void>();

  constructor(steps: Record<string, Step>, atOnce = 2) {
    this.notBegun = runSteps(steps, {
      atOnce,
      run: (name) => {
        this.begun.push(name);
        return new Promise((resolve) => this.ends.set(name, resolve));
      },
    });
  }

  /** @returns what has begun after it */
  async end(name: string, outcome: { ok: boolean; isForgiven?: boolean } = { ok: true }): Promise<string[]> {
    const before = this.begun.length;
    this.ends.get(name)!(outcome);
    // What follows begins in microtasks.
    await new Promise(setImmediate);
    return this.begun.slice(before);
  }
}

it('begins steps in their order, so many at once, each when what it is after has ended', async () => {
  const play = new Play({
    build: { after: [] },
    lint: { after: ['build'] },
    words: { after: [] },
    layers: { after: [] },
  });
  expect(play.begun).toEqual(['build', 'words']);
  expect(await play.end('words')).toEqual(['layers']);
  expect(await play.end('layers')).toEqual([]);
  expect(await play.end('build')).toEqual(['lint']);
  await play.end('lint');
  expect(await play.notBegun).toEqual([]);
});

it('company takes no place: it begins beside as many as may run at once, and keeps none of them waiting', async () => {
  const play = new Play(
    {
      build: { after: [] },
      prepare: { after: ['build'], isCompany: true },
      lint: { after: ['build'] },
      test: { after: ['lint'] },
    },
    1,
  );
  expect(await play.end('build')).toEqual(['prepare', 'lint']);
  expect(await play.end('lint')).toEqual(['test']);
});

it('after a failure nothing new begins, and what has begun comes to its end', async () => {
  const play = new Play({
    build: { after: [] },
    words: { after: [] },
    lint: { after: ['build'] },
    test: { after: ['lint'] },
  });
  expect(await play.end('words', { ok: false })).toEqual([]);
  expect(await play.end('build')).toEqual([]);
  expect(await play.notBegun).toEqual(['lint', 'test']);
});

it('a failure that is forgiven lets the next ones begin, and who makes it good is asked when it could begin', async () => {
  let isNeeded = false;
  const steps = {
    test: { after: [] },
    prepare: { after: [], isCompany: true },
    again: { after: ['test', 'prepare'], isNeeded: () => isNeeded },
    check: { after: ['again'] },
  };
  const play = new Play(steps);
  expect(await play.end('test', { ok: false, isForgiven: true })).toEqual([]);
  isNeeded = true;
  expect(await play.end('prepare')).toEqual(['again']);
  expect(await play.end('again', { ok: false })).toEqual([]);
  expect(await play.notBegun).toEqual(['check']);
});

it('what is not needed counts as done', async () => {
  const play = new Play({ words: { after: [], isNeeded: () => false }, site: { after: ['words'] } });
  expect(play.begun).toEqual(['site']);
  await play.end('site');
  expect(await play.notBegun).toEqual([]);
});

it('refuses a step that is after one that is not there, for it would never begin', async () => {
  await expect(new Play({ lint: { after: ['bulid'] } }).notBegun).rejects.toThrow('bulid');
});
