import { afterAll, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowDispatcher, IWorkflowRuntime, type WorkflowPersistence } from '@waymark/runtime';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

/** Of both nodes. Its time passes without anything else that it does. */
class LateClock extends VirtualClock {
  byMs = 0;
  override now(): number {
    return super.now() + this.byMs;
  }
}

let effects: string[];

@Injectable()
@Activity({ namespace: 'Test' })
class Effect extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    effects.push(ctx.idempotencyKey);
  }
}

describeOn(await testBackends(), 'a store that takes seconds for each answer, on $name', (backend) => {
  afterAll(() => backend.drop());

  it.each(['a dispatch', 'a start with a request key'])('lets the node that stored %s do its work', async (what) => {
    effects = [];
    const clock = new LateClock();
    const store = await backend.create();
    let whenStored: (() => Promise<void>) | undefined;
    const slow = Object.assign(Object.create(store) as WorkflowPersistence, {
      outbox: Object.assign(Object.create(store.outbox) as WorkflowPersistence['outbox'], {
        claim: async (claim: Parameters<WorkflowPersistence['outbox']['claim']>[0]) => {
          clock.byMs += 4000;
          return store.outbox.claim(claim);
        },
        add: async (rows: Parameters<WorkflowPersistence['outbox']['add']>[0]) => {
          await store.outbox.add(rows);
          await whenStored?.();
        },
      }),
      commit: async (burst: Parameters<WorkflowPersistence['commit']>[0]) => {
        await store.commit(burst);
        await whenStored?.();
      },
    });
    const nodes: RuntimeNode[] = [];
    const node = async (persistence: WorkflowPersistence) => {
      nodes.push(await startNode(persistence, { clock, providers: [Effect] }));
      return nodes.at(-1)!;
    };
    const here = await node(slow);
    const there = await node(await backend.create());
    try {
      const definition = what.replaceAll(' ', '-');
      await here.deploy(definition, sequence('S', { type: 'Test.Effect', id: 'E' }));
      await here.get(OutboxProcessor).poll();
      whenStored = async () => {
        whenStored = undefined;
        clock.byMs += 6000;
        // Nothing for the other node, which looks meanwhile.
        expect(await there.get(OutboxProcessor).poll()).toBe(0);
      };
      const start = { definition, claimsFirst: true };
      if (what === 'a dispatch') await here.get(IWorkflowDispatcher).dispatch({ definition });
      else await (await here.get(IWorkflowRuntime).createClient()).createAndRunInstance({ ...start, requestKey: what });
      expect(whenStored).toBeUndefined();
      await here.settled();
      expect(effects).toHaveLength(1);
    } finally {
      for (const each of nodes) await each.close();
    }
  });
});
