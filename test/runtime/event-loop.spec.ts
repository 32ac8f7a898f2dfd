import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { IEventPublisher, IWorkflowRuntime, type WorkflowPersistence } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { amountOf } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const MANY_MS = 120_000;
/** States of a megabyte. */
const LARGE = amountOf(40, 4);

describeOn(await testBackends(), 'turns of the event loop on $name', (backend) => {
  let store: WorkflowPersistence;
  let node: RuntimeNode;

  beforeEach(async () => {
    store = await backend.create();
    node = await startNode(store);
  });
  afterEach(async () => {
    await node.close();
    if (backend.name === 'memory') await backend.drop();
  });
  afterAll(() => backend.drop());

  /** So many wait for the event, each with a state of that size. */
  async function wait(event: string, count: number, chars: number): Promise<void> {
    const storageDriverType = 'WorkflowInstanceStorageDriver';
    await node.deploy(event, sequence('S', waitFor('E', event), line('L', 'on'), waitFor('F', event)), {
      inputs: [{ name: 'Data', type: 'Object', isArray: false, storageDriverType }],
    });
    for (let n = 0; n < count; n++) {
      const client = await node.get(IWorkflowRuntime).createClient();
      await client.createAndRunInstance({ definition: event, input: { Data: 'x'.repeat(chars) } });
    }
  }

  /** The turns in which the states were there, to be run. */
  async function publish(event: string): Promise<number[]> {
    const { instances } = store;
    const load = instances.load.bind(instances);
    const turns: number[] = [];
    let turn = 0;
    let isOver = false;
    instances.load = async (id) => {
      const loaded = await load(id);
      turns.push(turn);
      return loaded;
    };
    const counting = (async () => {
      for (; !isOver; turn++) await nextTurn();
    })();
    const { resumed } = await node.get(IEventPublisher).publish(event);
    isOver = true;
    await counting;
    expect(resumed.map(({ subStatus, incidents }) => [subStatus, incidents])).toEqual(
      resumed.map(() => ['Suspended', []]),
    );
    return turns;
  }

  const mostInOne = (turns: readonly number[]): number =>
    Math.max(...turns.map((turn) => turns.filter((other) => other === turn).length));

  it(
    'turns of the event loop are shared by large states that one event resumes: each has one of its own, and others come in between',
    async () => {
      await wait('large', LARGE, 1_000_000);
      const turns = await publish('large');
      expect(turns).toHaveLength(LARGE);
      expect(mostInOne(turns)).toBe(1);
    },
    MANY_MS,
  );

  it('turns of the event loop contain only as many states as fit by their size', async () => {
    await wait('middle', 40, 120_000);
    const turns = await publish('middle');
    expect(turns).toHaveLength(40);
    expect(mostInOne(turns)).toBeLessThanOrEqual(4);
  });
});
