import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  expect(second).toContain('specification.spec.ts:22:');
});

it('a package that it imports is the one of its own folder, whatever another specification has imported by that name', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-specification-'));
  const write = (file: string, text: string): string => {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
    return place;
  };
  const specificationIn = (name: string): string[] => {
    write(`${name}/package.json`, '{}');
    write(`${name}/node_modules/named/package.json`, '{ "type": "module", "exports": "./index.js" }');
    write(`${name}/node_modules/named/index.js`, `export const value = '${name}';`);
    return [`${name}/one.ts`, `${name}/below/other.ts`].map((file) =>
      write(file, "import { value } from 'named';\nexport const seen = value;\n"),
    );
  };
  try {
    const seen: unknown[] = [];
    for (const file of ['a', 'b', 'a'].flatMap(specificationIn)) seen.push(await runSpecification(file));
    expect(seen).toEqual(['a', 'a', 'b', 'b', 'a', 'a'].map((name) => ({ seen: name })));
  } finally {
    rmSync(folder, { recursive: true });
  }
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
