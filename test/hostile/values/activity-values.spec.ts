import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Activity, ActivityBase, Output } from '@waymark/core';
import { IWorkflowRuntime, MemoryPersistence, type WorkflowPersistence } from '@waymark/runtime';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { type RuntimeNode, sequence, startNode, waitFor } from '../../support/runtime-node.js';
import { TurnClock } from '../bodies/turn-clock.js';

/** Of one turn, in milliseconds of the processor: a multiple of what is promised, as for hostile requests. What is tried took 24 s. */
const LONGEST_STALL_MS = 2000;
const MANY_MS = 120_000;

const sparse = (places: number): unknown[] => {
  const made: unknown[] = [];
  made[places - 1] = 1;
  return made;
};
const nested = (levels: number, around: (value: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = around(value);
  return value;
};

const loop: unknown[] = [];
loop.push(loop);

/** Values that activities of an application can make, which cost more than they look. */
const VALUES: readonly (readonly [name: string, make: () => unknown])[] = [
  ['a list with 5,000,000 empty places', () => sparse(5_000_001)],
  ['the longest list there is, empty but for one place', () => sparse(2 ** 32 - 1)],
  ['such a list in a map', () => new Map([['list', sparse(2 ** 32 - 1)]])],
  ['1,000,000 undefined places', () => Array.from({ length: 1_000_000 })],
  ['20,000 levels of objects', () => nested(20_000, (child) => ({ child }))],
  ['20,000 levels of lists', () => nested(20_000, (child) => [child])],
  [
    '900 levels with long names around a function',
    () => nested(900, (child) => ({ ['n'.repeat(10_000)]: child, call: sparse })),
  ],
  ['a list that contains itself', () => nested(900, (child) => [child, loop])],
];

let make: () => unknown;

/** Gives what the test says. */
@Activity({ type: 'Test.Makes' })
class Makes extends ActivityBase {
  @Output() made: unknown;

  execute(): void {
    this.made = make();
  }
}

const STORES: readonly (readonly [name: string, make: () => WorkflowPersistence])[] = [
  ['memory', () => new MemoryPersistence()],
  ['SQLite', () => TypeOrmPersistence.fromUrl('sqlite::memory:')],
];

describe.each(STORES)('an output that costs more than it looks, in %s', (_, persistence) => {
  let node: RuntimeNode;
  beforeAll(async () => {
    node = await startNode(persistence(), { providers: [Makes] });
    const made = { typeName: 'Object', memoryReference: { id: 'v' } };
    await node.deploy('makes', sequence('S', { type: 'Test.Makes', id: 'M', made }, waitFor('E', 'on')), {
      variables: [{ id: 'v', name: 'V', typeName: 'Object' }],
    });
  });
  afterAll(() => node.close());

  it.each(VALUES)(
    'is refused in a few words, and holds up nothing: %s',
    async (_name, made) => {
      make = made;
      const client = await node.get(IWorkflowRuntime).createClient();
      const clock = new TurnClock();
      clock.start();
      const { subStatus, incidents } = await client.createAndRunInstance({ definition: 'makes' });
      await new Promise((resolve) => setImmediate(resolve));
      const { longestMs } = clock.stop();
      expect([subStatus, incidents[0]?.message]).toEqual([
        'Faulted',
        expect.stringMatching(/^variable "V".{0,400} cannot be stored: .{0,600}$/s),
      ]);
      expect(longestMs).toBeLessThan(LONGEST_STALL_MS);
    },
    MANY_MS,
  );
});
