import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityJson } from '@waymark/core';
import { AlterationRunner, IBookmarkResumer, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const SECOND = 1000;
const MOST_ATTEMPTS = 3;

/** Ids of the activities whose process has ended at them. */
let deaths: string[];
let ends: (() => void)[];
let isOver: boolean;
let died: (() => void)[];

/** Ends its process: here, it never returns, and the time of its node stands still. */
function die(id: string): Promise<void> {
  if (isOver) return Promise.resolve();
  deaths.push(id);
  for (const notify of died.splice(0)) notify();
  return new Promise((resolve) => ends.push(resolve));
}

@Injectable()
@Activity({ namespace: 'Test', kind: 'Job' })
class DeadlyJob extends ActivityBase {
  execute(): Promise<void> {
    return die('Job');
  }
}

@Injectable()
@Activity({ namespace: 'Test' })
class DeadlyStep extends ActivityBase {
  execute(): Promise<void> {
    return die('Step');
  }
}

const job = (more: Record<string, unknown> = {}): ActivityJson => ({ type: 'Test.DeadlyJob', id: 'Job', ...more });

describeOn(await testBackends(), 'background activities that end their process, on $name', (backend) => {
  let nodes: RuntimeNode[];
  let time: number;

  beforeEach(() => {
    [deaths, ends, died, nodes, isOver] = [[], [], [], [], false];
    time = Date.parse('2026-03-01T00:00:00Z');
  });
  afterEach(async () => {
    isOver = true;
    for (const end of ends) end();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  /** The next node. Those before it stand still, as dead ones do, and their claims have ended. */
  const next = async (): Promise<RuntimeNode> => {
    time += 61 * SECOND;
    const node = await startNode(await backend.create(), {
      clock: new VirtualClock(time, { patienceMs: 20 }),
      nodeName: `node-${nodes.length}`,
      maxDeliveryAttempts: MOST_ATTEMPTS,
      providers: [DeadlyJob, DeadlyStep],
    });
    nodes.push(node);
    return node;
  };
  const dies = async (times: number): Promise<void> => {
    while (deaths.length < times) await new Promise<void>((resolve) => died.push(resolve));
  };
  /** Nodes that serve what there is, and die of it. */
  const nextOnes = async (times: number): Promise<void> => {
    for (let death = 0; death < times; death++) {
      const before = deaths.length;
      const node = await next();
      await node.get(OutboxProcessor).poll();
      await dies(before + 1);
    }
  };
  const start = async (on: RuntimeNode, definition: string) =>
    (await (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition })).workflowInstanceId;
  const load = async (on: RuntimeNode, id: string) => (await on.get(WorkflowPersistence).instances.load(id))!;
  const attemptOf = async (on: RuntimeNode, id: string) => {
    const { state } = await load(on, id);
    return state.activityExecutionContexts.find(({ scheduledActivityNodeId }) =>
      scheduledActivityNodeId.endsWith('Job'),
    )?.attempt;
  };
  const incidentsOf = async (on: RuntimeNode, id: string) => {
    const { subStatus, state } = await load(on, id);
    return [subStatus, state.incidents.map((each) => [each.activityId, each.exception?.metadata?.code])];
  };

  it('W8: what follows when one is given up is counted, too: the instance is parked at it', async () => {
    const first = await next();
    const caught = { type: 'Waymark.Try', id: 'T', body: job(), catch: { type: 'Test.DeadlyStep', id: 'Step' } };
    await first.deploy('caught', sequence('S', caught));
    const id = await start(first, 'caught');
    // The node that writes a message serves it without a claim, so that this death is not counted.
    await dies(1);
    await nextOnes(MOST_ATTEMPTS);
    // From here on, it is the catch branch of which they die.
    await nextOnes(MOST_ATTEMPTS);
    expect(deaths).toEqual(['Job', 'Job', 'Job', 'Job', 'Step', 'Step', 'Step']);
    const last = await next();
    await last.settled();
    expect(await incidentsOf(last, id)).toEqual(['Faulted', [['Job', 'WM3008']]]);
    expect(deaths).toHaveLength(1 + 2 * MOST_ATTEMPTS);
    expect(await last.get(WorkflowPersistence).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('counts each death as an attempt of the retry policy', async () => {
    const first = await next();
    const customProperties = { retryPolicy: { maxAttempts: 5, delay: '00:00:05' } };
    await first.deploy('retried', sequence('S', job({ customProperties })));
    const id = await start(first, 'retried');
    await dies(1);
    await nextOnes(MOST_ATTEMPTS);
    const judge = await next();
    await judge.settled();
    expect([await attemptOf(judge, id), await incidentsOf(judge, id)]).toEqual([4, ['Suspended', []]]);
    const [retry] = (await load(judge, id)).state.bookmarks;
    await judge.get(IBookmarkResumer).resumeById(retry!.id);
    await dies(5);
    await nextOnes(MOST_ATTEMPTS);
    const last = await next();
    await last.settled();
    expect([await attemptOf(last, id), await incidentsOf(last, id)]).toEqual([6, ['Faulted', [['Job', 'WM3006']]]]);

    // By hand, the policy begins anew, and ends again.
    const { activityInstanceId } = (await load(last, id)).state.incidents[0]!;
    await last.get(AlterationRunner).run(id, [{ type: 'ScheduleActivity', activityInstanceId }]);
    await dies(9);
    await nextOnes(MOST_ATTEMPTS);
    const again = await next();
    await again.settled();
    expect([await attemptOf(again, id), await incidentsOf(again, id)]).toEqual([10, ['Suspended', []]]);
  });
});
