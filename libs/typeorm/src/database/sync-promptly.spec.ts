import { describe, expect, it, jest } from '@jest/globals';
import { type FileSystem, syncPromptly } from './sync-promptly.js';

const [FILE, SPARE] = [7, 8];

/** A pool whose threads are free for so many operations. */
function systemWith(threads: number) {
  const sync: { done: (error: Error | null) => void } = { done: () => undefined };
  const probed = jest.fn<() => void>();
  const system = {
    fdatasync: (_file, done) => void (sync.done = done),
    fstat: (_file, done) => {
      probed();
      if (threads > 1) setImmediate(done);
    },
    fdatasyncSync: jest.fn<FileSystem['fdatasyncSync']>(),
  } satisfies FileSystem;
  return { system, sync, probed };
}

describe('syncing a file', () => {
  it('is done by the pool', async () => {
    const { system, sync } = systemWith(2);
    const synced = syncPromptly(FILE, SPARE, system);
    sync.done(null);
    await synced;
    expect(system.fdatasyncSync).not.toHaveBeenCalled();
  });

  it('is done at once by another descriptor when no thread of the pool is free', async () => {
    const { system } = systemWith(0);
    await syncPromptly(FILE, SPARE, system);
    expect(system.fdatasyncSync.mock.calls).toEqual([[SPARE]]);
  });

  it('waits for a slow disk, which would stop the event loop', async () => {
    const { system, sync, probed } = systemWith(2);
    const synced = syncPromptly(FILE, SPARE, system);
    await new Promise<void>((resolve) =>
      probed.mockImplementation(() => {
        if (probed.mock.calls.length === 3) resolve();
      }),
    );
    sync.done(null);
    await synced;
    expect(system.fdatasyncSync).not.toHaveBeenCalled();
  });

  it.each(['in the pool', 'here'])('fails when the disk does not take it, %s', async (place) => {
    const { system, sync } = systemWith(0);
    const failure = new Error('EIO');
    system.fdatasyncSync.mockImplementation(() => {
      throw failure;
    });
    const synced = syncPromptly(FILE, SPARE, system);
    if (place === 'in the pool') sync.done(failure);
    await expect(synced).rejects.toBe(failure);
  });
});
