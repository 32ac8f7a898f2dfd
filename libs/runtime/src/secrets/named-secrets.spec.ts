import { describe, expect, it } from '@jest/globals';
import type { ExpressionScope } from '@waymark/core';
import { VirtualClock } from '@waymark/testing';
import { SystemClock } from '../clock/system-clock.js';
import { NamedSecrets } from './named-secrets.js';
import type { SecretProvider } from './secret-provider.js';

const scope = { facts: { workflowDefinitionId: 'w' } } as ExpressionScope;

/** As a provider that is not written in TypeScript may answer. */
const secretsOf = (...answers: (() => unknown)[]) => {
  const clock = new VirtualClock('2026-03-01T00:00:00Z');
  const providers = answers.map((find) => ({ find }) as SecretProvider);
  return { secrets: new NamedSecrets(providers, undefined, clock), clock };
};
const find = async (...answers: (() => unknown)[]) => secretsOf(...answers).secrets.find('key', scope);

describe('a provider of secrets', () => {
  it.each([undefined, null, ''])(
    'a provider of secrets that has %j has no secret, and the next one is asked',
    async (none) => {
      expect(
        await find(
          () => none,
          () => 'second',
        ),
      ).toBe('second');
      expect(
        await find(
          async () => none,
          () => 'second',
        ),
      ).toBe('second');
      await expect(find(() => none)).rejects.toMatchObject({ code: 'WM3040' });
      await expect(find(async () => none)).rejects.toMatchObject({ code: 'WM3040' });
    },
  );

  it.each([7, true, { password: 'p' }, ['p']])(
    'a provider of secrets that gives %j instead of text fails: it could not be redacted',
    async (value) => {
      const refused = { code: 'WM6080', reason: `it gave a value of type ${typeof value}, not text` };
      await expect(find(() => value)).rejects.toMatchObject(refused);
      await expect(find(async () => value)).rejects.toMatchObject(refused);
    },
  );

  it('a provider of secrets that throws or rejects fails with the kind of its error, and shows nothing of its text', async () => {
    const error = Object.assign(new Error('403 for token hvs.secret'), { code: 'EACCES' });
    const thrown: (() => unknown)[] = [
      () => {
        throw error;
      },
      () => Promise.reject(error),
    ];
    for (const answer of thrown) {
      const failure = await find(answer).catch((reason: unknown) => reason as Error);
      expect(failure).toMatchObject({ code: 'WM6080', reason: 'it failed with Error, EACCES' });
      expect(JSON.stringify([(failure as Error).message, (failure as Error).cause])).not.toContain('hvs');
    }
    await expect(find(() => Promise.reject(undefined))).rejects.toMatchObject({ code: 'WM6080' });
  });

  it('a provider of secrets that does not answer does not keep the process from ending', () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const secrets = new NamedSecrets([{ find: () => new Promise(() => {}) }], undefined, new SystemClock());
    const before = timers();
    void secrets.find('key', scope);
    expect(timers()).toBe(before);
  });

  it('a provider of secrets that fails after its caller has given it up ends no process', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const { secrets, clock } = secretsOf(() => new Promise(() => {}));
      void secrets.find('key', scope);
      await clock.advance(30_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('a provider of secrets that does not answer fails after 30 s, and may answer in less', async () => {
    const { secrets, clock } = secretsOf(() => new Promise(() => {}));
    const found = Promise.resolve(secrets.find('key', scope)).catch((reason: unknown) => reason);
    await clock.advance(30_000);
    expect(await found).toMatchObject({ code: 'WM6080', reason: 'it has not answered within 30 s' });
    let answer: (text: string) => void = () => undefined;
    const slow = secretsOf(() => new Promise((resolve) => (answer = resolve)));
    const text = slow.secrets.find('key', scope);
    await slow.clock.advance(29_000);
    answer('late');
    expect(await text).toBe('late');
  });
});
