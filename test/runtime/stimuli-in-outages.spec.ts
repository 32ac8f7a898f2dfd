import { describe, expect, it } from '@jest/globals';
import {
  CommitOutcomeUnknownError,
  IBookmarkQueue,
  IWorkflowRuntime,
  MemoryPersistence,
  StoreUnavailableError,
} from '@waymark/runtime';
import { RuntimeMaintenance, StoreBookmarkQueue } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { line, sequence, startNode, waitFor } from '../support/runtime-node.js';

describe('a stimulus whose delivery meets one fault of the store', () => {
  it.each([
    ['WM7014', () => new StoreUnavailableError('out')],
    ['WM7015', () => new CommitOutcomeUnknownError('lost')],
  ])('W5: is kept, uncounted, and delivered by the next round: %s', async (_, fault) => {
    const memory = new MemoryPersistence();
    let isDue = false;
    const faulty = Object.assign(Object.create(memory) as MemoryPersistence, {
      commit: async (burst: Parameters<MemoryPersistence['commit']>[0]) => {
        if (isDue) {
          isDue = false;
          throw fault();
        }
        return memory.commit(burst);
      },
    });
    const node = await startNode(faulty, { clock: new VirtualClock() });
    try {
      await node.deploy('wait', sequence('S', waitFor('E', 'go'), line('W', 'gone')));
      const client = await node.get(IWorkflowRuntime).createClient();
      const { bookmarks } = await client.createAndRunInstance({ definition: 'wait' });
      isDue = true;
      const id = await node.get(IBookmarkQueue).enqueue({ stimulusHash: bookmarks[0]!.hash });
      expect((await memory.queue.find(id))?.attempts).toBe(0);
      await node.get(RuntimeMaintenance).runEverything();
      await node.settled();
      expect(await memory.queue.find(id)).toBeUndefined();
      expect(await memory.instances.count({ subStatuses: ['Finished'] })).toBe(1);
    } finally {
      await node.close();
    }
  });
});

describe('a stimulus that another node delivers first', () => {
  it('W5: has been served, and so its sender is answered', async () => {
    const memory = new MemoryPersistence();
    const clock = new VirtualClock();
    const other = await startNode(memory, { clock });
    let meddle: (() => Promise<unknown>) | undefined;
    const slow = Object.assign(Object.create(memory) as MemoryPersistence, {
      commit: async (burst: Parameters<MemoryPersistence['commit']>[0]) => {
        const first = meddle;
        meddle = undefined;
        await first?.();
        return memory.commit(burst);
      },
    });
    const node = await startNode(slow, { clock });
    try {
      await node.deploy('wait', sequence('S', waitFor('E', 'go'), line('W', 'gone')));
      const client = await node.get(IWorkflowRuntime).createClient();
      const { bookmarks } = await client.createAndRunInstance({ definition: 'wait' });
      const enqueue = memory.queue.enqueue.bind(memory.queue);
      memory.queue.enqueue = async (item) => {
        const id = await enqueue(item);
        // In the moment before this node commits the resume.
        meddle = () => other.get(StoreBookmarkQueue).deliver(id);
        return id;
      };
      const id = await node.get(IBookmarkQueue).enqueue({ stimulusHash: bookmarks[0]!.hash });
      expect(meddle).toBeUndefined();
      expect(await memory.queue.find(id)).toBeUndefined();
      expect(await memory.instances.count({ subStatuses: ['Finished'] })).toBe(1);
      expect([...node.lines, ...other.lines]).toContain('gone');
      await node.get(RuntimeMaintenance).runEverything();
      await node.settled();
      expect((await memory.queue.findDeadLetters({})).totalCount).toBe(0);
    } finally {
      await node.close();
      await other.close();
    }
  });
});
