import { describe, expect, it, jest } from '@jest/globals';
import { MemoryPersistence } from '@waymark/runtime';
import { ShutdownTasks, WorkflowLogger } from '@waymark/runtime/adapter';
import { startNode } from '../support/runtime-node.js';

describe('a shutdown of which a part fails', () => {
  it('closes the store all the same, and is logged', async () => {
    const store = new MemoryPersistence();
    const close = jest.spyOn(store, 'close');
    const node = await startNode(store);
    node.get(ShutdownTasks).add(() => Promise.reject(new Error('no end')));
    const warn = jest.spyOn(WorkflowLogger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      await node.close();
      expect(warn.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining('no end')]);
    } finally {
      warn.mockRestore();
    }
    expect(close).toHaveBeenCalledTimes(1);
  });
});
