import type { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { forgetStorages, loadFramework } from './one-test-at-a-time.cjs';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'waymark-framework-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** The storage of a framework for a file with that text. */
function storageFor(text: string): AsyncLocalStorage<string> {
  const [framework, tests] = ['framework.cjs', 'some.spec.ts'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  writeFileSync(framework, "exports.storage = new (require('node:async_hooks').AsyncLocalStorage)();");
  writeFileSync(tests, text);
  return (loadFramework(framework, tests) as { storage: AsyncLocalStorage<string> }).storage;
}

// Not as one word: this file would be one of those.
const sideBySide = ['it', "concurrent('a', async () => {});"].join('.');

it('follows promises for a file with tests that run side by side, until it has ended', async () => {
  const storage = storageFor(sideBySide);
  const seen = ['a', 'b'].map((name) => storage.run(name, () => Promise.resolve().then(() => storage.getStore())));
  expect(await Promise.all(seen)).toEqual(['a', 'b']);
  const [during, after] = await storage.run('c', async () => {
    const before = storage.getStore();
    forgetStorages();
    return [before, storage.getStore()];
  });
  expect([during, after]).toEqual(['c', undefined]);
});

it('follows none for other files', async () => {
  const storage = storageFor("it('a', async () => {});");
  const seen = storage.run('a', async () => {
    await Promise.resolve();
    return storage.getStore();
  });
  // A variable, which the next one overwrites.
  expect([await storage.run('b', async () => storage.getStore()), await seen]).toEqual(['b', 'b']);
});
