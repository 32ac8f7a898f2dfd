import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  type ActivityJson,
  type ActivityNode,
  Port,
} from '@waymark/core';
import { Event, IBookmarkResumer, IWorkflowRuntime, WorkflowPersistence, AlterationRunner } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { child, fork, holdNext, letGo, TakeLong, takeLong } from '../support/child-nodes.js';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

/** What each execution handed to the world, in the order in which it did. */
let ledger: string[] = [];

@Injectable()
@Activity({ namespace: 'Test' })
class Charge extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ledger.push(`${ctx.node.id} ${ctx.idempotencyKey}`);
  }
}

/** Waits again and again at one bookmark, which stays, and charges each time. */
@Injectable()
@Activity({ namespace: 'Test' })
class ChargeEachTime extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({
      name: 'Elsa.Event',
      stimulus: { eventName: 'again' },
      autoBurn: false,
      callback: this.onAgain,
    });
  }

  onAgain(ctx: ActivityExecutionContext): void {
    ledger.push(`${ctx.node.id} ${ctx.idempotencyKey}`);
  }
}

/** Runs its body each time it is resumed. */
@Injectable()
@Activity({ namespace: 'Test' })
class StayAndCharge extends ActivityBase {
  @Port() body?: ActivityNode;

  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ stimulus: { ask: 'again' }, autoBurn: false, callback: this.onAsked });
  }

  onAsked(ctx: ActivityExecutionContext): unknown {
    return ctx.schedule(this.body, { callback: this.onCharged });
  }

  onCharged(): void {
    // It goes on waiting.
  }
}

/** Makes its bookmark again each time, under the same id and, by the clock of the test, at the same time. */
@Injectable()
@Activity({ namespace: 'Test' })
class ComeAgain extends ActivityBase {
  @Port() body?: ActivityNode;

  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ id: `${ctx.workflow.id}-ask`, stimulus: { ask: 'again' }, callback: this.onAsked });
  }

  onAsked(ctx: ActivityExecutionContext): unknown {
    return ctx.schedule(this.body, { callback: this.onCharged });
  }

  onCharged(ctx: ActivityExecutionContext): void {
    this.execute(ctx);
  }
}

const charge = (id: string): ActivityJson => ({ type: 'Test.Charge', id });
describeOn(await testBackends(...EVERY_STORE), 'W9: idempotency keys on $name', (backend) => {
  let began: Promise<void>;
  let nodes: RuntimeNode[];
  let store: WorkflowPersistence;
  let tests = 0;
  let key = '';

  beforeEach(async () => {
    key = `k${++tests}`;
    ledger = [];
    began = holdNext();
    const providers = [Charge, TakeLong, ChargeEachTime, ComeAgain, StayAndCharge];
    nodes = [];
    const clock = new VirtualClock();
    for (let n = 0; n < 2; n++) nodes.push(await startNode(await backend.create(), { providers, clock }));
    store = nodes[0]!.get(WorkflowPersistence);
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
  });
  afterAll(() => backend.drop());

  const send = (node: RuntimeNode, event: string) =>
    node.get(IBookmarkResumer).resume(Event, { eventName: `${key}-${event}` });
  const settle = async () => {
    for (const node of [...nodes, ...nodes]) await node.settled();
  };
  const start = async (root: ActivityJson) => {
    await nodes[0]!.deploy(key, root);
    const client = await nodes[0]!.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: key });
    await settle();
    return client;
  };
  /** The first branch runs on one node while the second one is committed on the other: the first has to run again. */
  const conflict = async () => {
    const first = send(nodes[0]!, 'one');
    await began;
    await send(nodes[1]!, 'two');
    letGo();
    await first;
    await settle();
  };
  const children = async (definition: string) =>
    (await store.instances.findMany({ definitionIds: [definition] })).items.map((i) => i.subStatus);

  it('idempotency keys are the same when a burst is repeated because another branch was committed meanwhile, and of no other one', async () => {
    await start(
      fork(
        sequence('B1', waitFor('E1', `${key}-one`), charge('C1'), takeLong(), charge('D1')),
        sequence('B2', waitFor('E2', `${key}-two`), line('L', 'more executions'), charge('C2'), charge('D2')),
      ),
    );
    await conflict();
    // Charged before the commit was refused, and after it.
    expect(ledger.map((entry) => entry.split(' ')[0])).toEqual(['C1', 'C2', 'D2', 'D1', 'C1', 'D1']);
    expect([ledger[4], ledger[5]]).toEqual([ledger[0], ledger[3]]);
    expect(new Set(ledger.map((entry) => entry.split(' ')[1])).size).toBe(4);
  });

  it('idempotency keys name children: a repeated burst finds its own, and no other branch does', async () => {
    await nodes[0]!.deploy(`${key}-a`, sequence('S', line('L', 'a'), waitFor('E', `${key}-grow`)));
    await nodes[0]!.deploy(`${key}-b`, sequence('S', line('L', 'b'), waitFor('E', `${key}-grow`)));
    const parent = await start(
      sequence(
        'S',
        fork(
          sequence(
            'B1',
            waitFor('E1', `${key}-one`),
            { ...fork({ ...child('Elsa.ExecuteWorkflow', `${key}-a`), id: 'K1' }, takeLong()), id: 'F1' },
            line('X1', 'heard a'),
          ),
          sequence(
            'B2',
            waitFor('E2', `${key}-two`),
            { ...child('Elsa.ExecuteWorkflow', `${key}-b`), id: 'K2' },
            line('X2', 'heard b'),
          ),
        ),
        line('P', 'parent'),
      ),
    );
    // The child of the first branch is committed, the burst that started it is not.
    await conflict();
    await settle();
    expect([await children(`${key}-a`), await children(`${key}-b`)]).toEqual([['Suspended'], ['Suspended']]);
    await send(nodes[0]!, 'grow');
    await settle();
    const lines = nodes.flatMap((node) => node.lines).toSorted();
    expect([(await parent.exportState()).subStatus, lines.filter((text) => /heard|parent/.test(text))]).toEqual([
      'Finished',
      ['heard a', 'heard b', 'parent'],
    ]);
  });

  it.each(['a resume', 'an alteration'])(
    'idempotency keys are the same when a burst that is stored half-way continues after another commit (%s)',
    async (other) => {
      const stored = { ...charge('C0'), customProperties: { commitStrategyName: 'Executed' } };
      const client = await start(
        fork(
          sequence('B1', waitFor('E1', `${key}-one`), stored, charge('C1'), takeLong(), charge('D1')),
          sequence('B2', waitFor('E2', `${key}-two`), charge('C2')),
        ),
      );
      const first = send(nodes[0]!, 'one');
      await began;
      expect((await client.exportState()).isExecuting).toBe(true);
      if (other === 'an alteration')
        await nodes[1]!
          .get(AlterationRunner)
          .run(client.workflowInstanceId, [{ type: 'SkipActivity', activityId: 'E2' }]);
      else await send(nodes[1]!, 'two');
      letGo();
      await first;
      await settle();
      expect((await client.exportState()).subStatus).toBe('Finished');
      // What the first node did since it was stored, and what it did again, have the same names.
      const names = ledger.map((entry) => entry.split(' ')[0]);
      expect(names.toSorted()).toEqual(['C0', 'C1', 'C1', 'C2', 'D1', 'D1']);
      expect(new Set(ledger).size).toBe(4);
    },
  );

  it('idempotency keys belong to one resume only when a bookmark remains and two nodes resume it at once', async () => {
    const charges = { type: 'Test.StayAndCharge', id: 'A', body: sequence('B', charge('C'), takeLong()) };
    const { workflowInstanceId } = await start(charges);
    const resume = (node: RuntimeNode) =>
      node.get(IBookmarkResumer).resume('Test.StayAndCharge', { ask: 'again' }, { workflowInstanceId });
    const lost = resume(nodes[0]!);
    await began;
    await resume(nodes[1]!);
    letGo();
    await lost;
    expect(ledger).toHaveLength(3);
    expect([ledger[2], new Set(ledger).size]).toEqual([ledger[0], 2]);
  });

  it('idempotency keys belong to one resume only when a bookmark is created again with an id chosen by the activity', async () => {
    const { workflowInstanceId } = await start({ type: 'Test.ComeAgain', id: 'A', body: charge('C') });
    for (let times = 0; times < 3; times++)
      await nodes[0]!.get(IBookmarkResumer).resume('Test.ComeAgain', { ask: 'again' }, { workflowInstanceId });
    expect([ledger.length, new Set(ledger).size]).toEqual([3, 3]);
  });

  it('idempotency keys stay with an execution that is stored and continues in a later burst', async () => {
    const client = await start(sequence('S', waitFor('W', `${key}-one`), { type: 'Test.ChargeEachTime', id: 'A' }));
    await send(nodes[0]!, 'one');
    for (let times = 0; times < 2; times++)
      await nodes[times]!.get(IBookmarkResumer).resume(
        Event,
        { eventName: 'again' },
        { workflowInstanceId: client.workflowInstanceId },
      );
    expect([ledger.length, new Set(ledger).size]).toEqual([2, 1]);
  });
});
