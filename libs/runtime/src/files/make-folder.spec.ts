import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeFolder } from './make-folder.js';

describe('making a folder', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'waymark-folder-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('makes those above it as well, with the mode, and leaves one that exists alone', async () => {
    const folder = path.join(root, 'a/b/c');
    await makeFolder(folder, 0o700);
    await makeFolder(folder, 0o700);
    expect((await stat(path.dirname(folder))).mode & 0o777).toBe(0o700);
  });

  it('lets several callers make the same one', async () => {
    const folder = path.join(root, 'a/b');
    await Promise.all(Array.from({ length: 5 }, () => makeFolder(folder)));
    expect((await stat(folder)).isDirectory()).toBe(true);
  });

  it('fails below a file, and below a folder that takes no others', async () => {
    await writeFile(path.join(root, 'file'), '');
    await expect(makeFolder(path.join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(path.join(root, 'file/a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolder('/proc/no-such-folder/a')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
