import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { IWorkflowRuntime, StoreUnavailableError, WorkflowPersistence } from '@waymark/runtime';
import { type BookmarkQueueItem, BurstExecutor, OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { amountOf } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';
import { until } from '../support/until.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** Two full batches of the retention, and one that is not. */
const MANY = 450;
/** Of finished instances. */
const BATCH = 200;
/** Stimuli that nodes died with. */
const LOST = amountOf(450);

describeOn(await testBackends(), 'housekeeping on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];

  const node = async (): Promise<RuntimeNode> => {
    const started = await startNode(await backend.create(), { clock, pollIntervalMs: SECOND, retentionMs: HOUR });
    nodes.push(started);
    return started;
  };
  const start = async (on: RuntimeNode, definition: string) =>
    (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition });
  const startMany = (on: RuntimeNode, definition: string, length = MANY) =>
    Promise.all(Array.from({ length }, () => start(on, definition)));
  const count = (definitionId: string) =>
    nodes[0]!.get(WorkflowPersistence).instances.count({ definitionIds: [definitionId], statuses: ['Finished'] });
  const settled = () => Promise.all(nodes.map((each) => each.get(OutboxProcessor).settled()));

  beforeEach(() => {
    clock = new VirtualClock();
    nodes = [];
  });
  afterEach(async () => {
    const { instances } = nodes[0]!.get(WorkflowPersistence);
    await instances.delete(await instances.findIds({ statuses: ['Finished'] }));
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('W5: all stimuli of dead nodes are delivered within seconds, once, by several nodes', async () => {
    const [here] = [await node(), await node()];
    await here.deploy('waits', sequence('S', waitFor('E', 'go'), line('L', 'gone')));
    const started = await startMany(here, 'waits', LOST);
    // As stored by a node that died before it looked for their bookmarks.
    const { queue } = here.get(WorkflowPersistence);
    const now = new Date(clock.now());
    await Promise.all(
      started.map(({ bookmarks, workflowInstanceId }, n): Promise<string> => {
        const item: BookmarkQueueItem = {
          id: `lost-${n}`,
          stimulusHash: bookmarks[0]!.hash,
          workflowInstanceId,
          createdAt: now,
          expiresAt: new Date(clock.now() + HOUR),
          attempts: 0,
        };
        return queue.enqueue(item);
      }),
    );
    await clock.advance(6 * SECOND);
    await settled();
    await clock.advance(SECOND);
    await settled();
    expect([await count('waits'), nodes.flatMap(({ lines }) => lines).length]).toEqual([LOST, LOST]);
    expect((await here.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
  }, 60_000);

  it('W8: interrupted bursts behind a whole batch that this node executes itself are taken over', async () => {
    const here = await node();
    const { instances } = here.get(WorkflowPersistence);
    // As the store answers when the beats of this node's own bursts are late.
    const asked: (string | undefined)[] = [];
    instances.findInterrupted = async ({ after }) => {
      asked.push(after);
      return after === undefined ? { ids: ['own'], next: 'place' } : { ids: ['lost'], next: undefined };
    };
    const { isActive } = here.get(BurstExecutor);
    here.get(BurstExecutor).isActive = (id) => id === 'own';
    const { add } = here.get(OutboxProcessor);
    const added: string[] = [];
    here.get(OutboxProcessor).add = async (messages) => void added.push(...messages.map(({ id }) => id));
    await clock.advance(6 * SECOND);
    Object.assign(here.get(OutboxProcessor), { add });
    Object.assign(here.get(BurstExecutor), { isActive });
    delete (instances as Partial<typeof instances>).findInterrupted;
    expect([asked, added]).toEqual([[undefined, 'place'], ['take-over/lost']]);
  });

  it('a start is served between two batches, and shutdown waits for no more than the one under way', async () => {
    const here = await node();
    await here.deploy('old', line('L', 'old'));
    await startMany(here, 'old');
    await clock.setTime(clock.now() + HOUR + SECOND);
    const { instances } = here.get(WorkflowPersistence);
    const purge = instances.purge.bind(instances);
    const left: number[] = [];
    instances.purge = async (...given) => {
      const ids = await purge(...given);
      // The pause that follows ends by a clock that stands still: nothing else is deleted meanwhile.
      clock.setTimer = (callback, delayMs, options) =>
        VirtualClock.prototype.setTimer.call(clock, callback, delayMs + HOUR, options);
      left.push(await count('old'));
      return ids;
    };
    await clock.advance(61 * SECOND);
    expect(left).toEqual([MANY - BATCH]);
    expect((await start(here, 'old')).subStatus).toBe('Finished');
    await here.close();
    // In memory the next node has the same store.
    instances.purge = purge;
    nodes = [await node()];
    expect(await count('old')).toBe(MANY - BATCH + 1);
  }, 60_000);

  it('journal values without an instance are looked for batch after batch, to the end, once an hour', async () => {
    const here = await node();
    const { journal } = here.get(WorkflowPersistence);
    const limits: number[] = [];
    let full = 3;
    journal.purgeOrphanedValues = async (limit) => {
      limits.push(limit);
      return full-- > 0 ? limit : 0;
    };
    await clock.advance(62 * SECOND);
    expect(limits).toHaveLength(4);
    await clock.advance(120 * SECOND);
    expect(limits).toHaveLength(4);
    // In one step: on the way it would look at the database every second.
    await clock.setTime(clock.now() + HOUR);
    await clock.advance(62 * SECOND);
    expect(limits).toHaveLength(5);
    delete (journal as Partial<typeof journal>).purgeOrphanedValues;
  }, 60_000);

  it('an outage between two batches ends the drain, and a round after it begins it again', async () => {
    const here = await node();
    await here.deploy('older', line('L', 'old'));
    await startMany(here, 'older');
    await clock.setTime(clock.now() + HOUR + SECOND);
    const { instances } = here.get(WorkflowPersistence);
    const purge = instances.purge.bind(instances);
    let calls = 0;
    instances.purge = async (...given) => {
      if (++calls === 2) throw new StoreUnavailableError('no connection');
      return purge(...given);
    };
    await clock.advance(62 * SECOND);
    expect([calls, await count('older')]).toEqual([2, MANY - BATCH]);
    instances.purge = purge;
    // The outage is over once a probe, in real time, has found the store back: a round before that does nothing.
    await until(async () => {
      await clock.advance(62 * SECOND);
      return (await count('older')) === 0;
    });
  }, 60_000);
});
