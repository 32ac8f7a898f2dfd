import 'reflect-metadata';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it, jest } from '@jest/globals';
import { Logger, type Type } from '@nestjs/common';
import { codeBlocks, runSpecsOf, writeBlocks } from './code-blocks.js';

await runSpecsOf('custom-activities');

const folder = writeBlocks(codeBlocks().filter(({ page }) => page === 'custom-activities'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Watching {
  readonly watchers: ReadonlyMap<string, { emit(event: 'error', error: Error): boolean }>;
  onApplicationBootstrap(): Promise<void>;
  onModuleDestroy(): void;
}

it('a path that does not exist keeps no application from starting, and no other path from being watched', async () => {
  const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const file = path.join(folder, 'custom-activities/file-watcher.ts');
  const { FileWatcher } = (await import(file)) as { FileWatcher: Type<Watching> };
  const missing = path.join(folder, 'missing');
  const payloads = [undefined, { path: null }, { path: missing }, { path: folder }];
  const triggers = { findMany: async () => payloads.map((payload) => ({ payload })) };
  const watcher = new FileWatcher({ triggers }, {});
  try {
    await watcher.onApplicationBootstrap();
    expect([...watcher.watchers.keys()]).toEqual([folder]);
    expect(errors.mock.calls).toEqual([[expect.stringMatching(/missing: .*ENOENT/)]]);
    watcher.watchers.get(folder)!.emit('error', new Error('EPERM'));
    expect(errors.mock.calls[1]).toEqual([expect.stringMatching(/EPERM/)]);
  } finally {
    watcher.onModuleDestroy();
  }
});
