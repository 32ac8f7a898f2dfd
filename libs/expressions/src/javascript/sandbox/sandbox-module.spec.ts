import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { failureOf } from '../test-scope.spec.js';
import { SandboxModuleLoader } from './sandbox-module.js';

const outer = createRequire(import.meta.url).resolve('quickjs-emscripten');
const path = createRequire(outer).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');

describe('a binary of the sandbox that', () => {
  it.each<[string, () => Promise<Uint8Array>]>([
    ['is missing', () => Promise.reject(new Error('ENOENT: no such file'))],
    ['is empty', () => Promise.resolve(new Uint8Array())],
    ['is not WebAssembly', () => Promise.resolve(new Uint8Array(1000).fill(65))],
    ['is cut off', async () => (await readFile(path)).subarray(0, 100_000)],
  ])('%s is a clear error', async (_, read) => {
    const error = await failureOf(() => new SandboxModuleLoader(32, read).load());
    expect(error).toMatchObject({ code: 'WM4007' });
    expect(error.message).toMatch(/could not be loaded \(.+\)\. Install/s);
  });

  it('a binary of the sandbox that could not be read is read again', async () => {
    let reads = 0;
    const loader = new SandboxModuleLoader(32, () =>
      ++reads === 1 ? Promise.reject(new Error('busy')) : readFile(path),
    );
    await failureOf(() => loader.load());
    const module = await loader.load();
    expect(module.isBroken).toBe(false);
    await loader.load();
    expect(reads).toBe(2);
  });
});
