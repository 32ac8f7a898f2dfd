import type { OutboxMessage } from '../records.js';
import { MemoryData } from './memory-data.js';
import { MemoryInstanceStore } from './memory-instance-store.js';
import { addMessages } from './memory-outbox-store.js';

const AT = new Date('2026-03-01T10:20:30Z');

const messageFor = (workflowInstanceId: string, number: number): OutboxMessage => ({
  id: `${workflowInstanceId}-${number}`,
  workflowInstanceId,
  kind: 'resume',
  payload: {},
  createdAt: AT,
  availableAt: AT,
  attempts: 0,
});

const itemFor = (workflowInstanceId: string) => ({
  id: `item-${workflowInstanceId}`,
  workflowInstanceId,
  createdAt: AT,
  expiresAt: AT,
  attempts: 0,
});

describe('removing instances from memory', () => {
  it('takes their messages and stimuli along, and looks at none of the others', async () => {
    const data = new MemoryData();
    for (const id of ['a', 'b', 'c']) {
      addMessages(data, [messageFor(id, 1), messageFor(id, 2)]);
      data.queue.put(itemFor(id));
    }
    const left = () => [...data.outbox.values(), ...data.queue.values()].map(({ id }) => id);
    const [outboxValues, queueValues] = [data.outbox.values, data.queue.values];
    const refuse = (): never => {
      throw new Error('It went through all rows.');
    };
    data.outbox.values = refuse;
    data.queue.values = refuse;
    // Also of one whose row is gone already.
    await new MemoryInstanceStore(data).delete(['a', 'c']);
    [data.outbox.values, data.queue.values] = [outboxValues, queueValues];
    expect(left()).toEqual(['b-1', 'b-2', 'item-b']);
  });
});
