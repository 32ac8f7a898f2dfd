import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryPersistence } from '@waymark/runtime';
import { type OutboxMessage, OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { type RuntimeNode, startNode } from '../support/runtime-node.js';

const SECOND = 1000;
const MANY = 200;

describe('messages of kinds that a node does not know', () => {
  let memory: MemoryPersistence;
  let clock: VirtualClock;
  let node: RuntimeNode;
  let served: string[];
  /** Of the unknown kind, by how often. */
  let claimed: number;

  beforeEach(async () => {
    memory = new MemoryPersistence();
    clock = new VirtualClock();
    [served, claimed] = [[], 0];
    const claim = memory.outbox.claim.bind(memory.outbox);
    memory.outbox.claim = async (options) => {
      const messages = await claim(options);
      claimed += messages.filter(({ kind }) => kind === 'of tomorrow').length;
      return messages;
    };
    node = await startNode(memory, { clock, pollIntervalMs: SECOND });
    serve('known');
  });
  afterEach(() => node.close());

  const serve = (kind: string) =>
    node.get(OutboxProcessor).register({
      kind,
      handle: async ({ id }) => {
        served.push(id);
        await memory.outbox.delete(id);
      },
    });
  const add = (kind: string) => {
    const at = new Date(clock.now());
    const of = (n: number): OutboxMessage => ({
      ...{ id: `${kind} ${n}`, kind, payload: n, attempts: 0, createdAt: at, availableAt: at },
    });
    return memory.outbox.add(Array.from({ length: MANY }, (_, n) => of(n)));
  };

  it('messages are left to others after the first ones, and do not hold up its own', async () => {
    await add('of tomorrow');
    await add('known');
    await clock.advance(3 * SECOND);
    expect(served).toHaveLength(MANY);
    await clock.advance(50 * SECOND);
    expect(claimed).toBeLessThan(MANY / 4);
    expect(await memory.outbox.count()).toEqual({ waiting: MANY, deadLetters: 0 });
  });

  it('messages are served as soon as there is a handler', async () => {
    await add('of tomorrow');
    await clock.advance(3 * SECOND);
    expect(served).toEqual([]);
    serve('of tomorrow');
    await clock.advance(10 * SECOND);
    expect(served).toHaveLength(MANY);
  });
});
