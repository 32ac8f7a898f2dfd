import { createRequire } from 'node:module';
import { expect, it } from '@jest/globals';
import type { Test } from '@jest/test-result';

const Sequencer = createRequire(import.meta.url)('../../jest.sequencer.cjs') as new (options: object) => {
  sort(tests: readonly Test[]): Test[];
};

/** As Jest has it in a checkout in which nothing has run: it knows no times. */
const sorted = (sizes: Readonly<Record<string, number>>): string[] => {
  const haste = {
    config: { cacheDirectory: '/nowhere', id: 'sequencer' },
    hasteFS: { getSize: (path: string) => sizes[path] },
  };
  const sequencer = new Sequencer({ contexts: [], globalConfig: {} });
  return sequencer
    .sort(Object.keys(sizes).map((path) => ({ path, context: haste }) as unknown as Test))
    .map(({ path }) => path);
};

it('a file of one page that starts a host, and sends it hostile requests, begins before what is only larger', () => {
  const hostile = '/root/test/hostile/bodies/crash.spec.ts';
  expect(sorted({ '/root/libs/core/src/big.spec.ts': 9_000, [hostile]: 1_370 })[0]).toBe(hostile);
});

it('a page of the documentation, in a file of one line, begins before what is only larger', () => {
  const page = '/root/test/docs/recipes-page.spec.ts';
  expect(
    sorted({ '/root/libs/core/src/big.spec.ts': 9_000, [page]: 100, '/root/libs/core/src/one.spec.ts': 50 }),
  ).toEqual([page, '/root/libs/core/src/big.spec.ts', '/root/libs/core/src/one.spec.ts']);
});
