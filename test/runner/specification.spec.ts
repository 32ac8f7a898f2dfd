import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, it } from '@jest/globals';
import { runSpecification } from './specification.cjs';

const FILE = path.join(import.meta.dirname, 'fixture/with-variables.ts');
type Exports = typeof import('./fixture/with-variables.js');
const run = async (): Promise<Exports> => (await runSpecification(FILE)) as Exports;

it('a specification has modules, and the place of its file', async () => {
  const { size, here } = await run();
  expect([size(), here]).toEqual([1000, [FILE, path.dirname(FILE), 'file:']]);
});

it('a module that it imports later is found from there, and stacks have the lines of TypeScript', async () => {
  const { default: fail } = await (await run()).later();
  const error = ((): Error => {
    try {
      return fail();
    } catch (thrown) {
      return thrown as Error;
    }
  })();
  const [first, second] = error.stack!.split('\n').slice(1);
  expect(first).toContain('fixture/found-later.ts:6:');
  expect(second).toContain('specification.spec.ts:20:');
});

it('runs anew each time, and is forgotten with all that its variables name', async () => {
  const refs = [(await run()).held, (await run()).held];
  expect(refs[0]).not.toBe(refs[1]);
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  // A WeakRef holds what it was asked for until the turn ends.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(refs.map((ref) => ref.deref())).toEqual([undefined, undefined]);
});
