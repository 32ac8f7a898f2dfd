import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext, Input } from '@waymark/core';
import { AlterationRunner, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

/** What was asked for outside, in order. */
let requests: string[];
/** Called before the answer to a request. */
let onRequest: (text: string) => Promise<void> | void;

@Activity({ namespace: 'Test' })
class Effect extends ActivityBase {
  @Input({ type: 'String' }) text!: string;

  async execute(): Promise<void> {
    requests.push(this.text);
    await onRequest(this.text);
  }
}

/** Waits, and asks a service to release something when it is cancelled. */
@Activity({ namespace: 'Test' })
class Reserves extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({});
  }
  override async onCanceled(): Promise<void> {
    requests.push('release');
    await onRequest('release');
    requests.push('released');
  }
}

const effect = (text: string) => ({ type: 'Test.Effect', id: text.replaceAll(' ', '-'), text: literal(text) });
const step = (id: string) => ({ type: 'Waymark.Compensable', id, body: effect(id), undo: effect(`undo ${id}`) });

describeOn(await testBackends(), 'an instance that is cancelled again while it is undone, on $name', (backend) => {
  let nodes: RuntimeNode[];

  beforeEach(async () => {
    [requests, onRequest, nodes] = [[], () => {}, []];
    const clock = new VirtualClock();
    for (let n = 0; n < 2; n++) nodes.push(await startNode(await backend.create(), { clock, providers: [Effect] }));
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
  });
  afterAll(() => backend.drop());

  it('W3, W8: is undone once, by the node that does it, however often others cancel it', async () => {
    const [first, second] = nodes as [RuntimeNode, RuntimeNode];
    const client = (node: RuntimeNode, id?: string) => node.get(IWorkflowRuntime).createClient(id);
    const load = async (id: string) => (await second.get(WorkflowPersistence).instances.load(id))!;
    await first.deploy('trip', sequence('S', step('flight'), waitFor('E', 'go')));
    const { workflowInstanceId: id } = await (await client(first)).createAndRunInstance({ definition: 'trip' });
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      onRequest = (text) => {
        if (text !== 'undo flight') return;
        resolve();
        return new Promise<void>((answered) => (answer = answered));
      };
    });
    await (await client(first, id)).cancel();
    await asked;
    const { revision } = await load(id);
    for (let again = 0; again < 3; again++) expect(await (await client(second, id)).cancel()).toBe(true);
    expect((await load(id)).revision).toBe(revision);
    onRequest = () => {};
    answer();
    await first.settled();
    expect([(await load(id)).subStatus, requests]).toEqual(['Cancelled', ['flight', 'undo flight']]);
  });
});

describeOn(
  await testBackends(),
  'an activity that releases what it holds when it is cancelled, on $name',
  (backend) => {
    afterAll(() => backend.drop());

    async function withReserved(body: (node: RuntimeNode, id: string, clock: VirtualClock) => Promise<void>) {
      [requests, onRequest] = [[], () => {}];
      const rejected: unknown[] = [];
      const note = (reason: unknown): void => void rejected.push(reason);
      process.on('unhandledRejection', note);
      const clock = new VirtualClock();
      const node = await startNode(await backend.create(), { clock, providers: [Effect, Reserves] });
      try {
        await node.deploy('reserved', sequence('S', { type: 'Test.Reserves', id: 'R' }, effect('next')));
        const client = await node.get(IWorkflowRuntime).createClient();
        await body(node, (await client.createAndRunInstance({ definition: 'reserved' })).workflowInstanceId, clock);
      } finally {
        await node.close();
        process.off('unhandledRejection', note);
      }
      expect(rejected).toEqual([]);
    }
    const cancel = async (node: RuntimeNode, id: string) =>
      (await node.get(IWorkflowRuntime).createClient(id)).cancel();
    const statusOf = async (node: RuntimeNode, id: string) =>
      (await node.get(WorkflowPersistence).instances.load(id))!.subStatus;

    it('is waited for before its instance is stored as cancelled', async () => {
      await withReserved(async (node, id) => {
        const seen: string[] = [];
        onRequest = async () => void seen.push(await statusOf(node, id));
        await cancel(node, id);
        expect([await statusOf(node, id), seen, requests]).toEqual([
          'Cancelled',
          ['Suspended'],
          ['release', 'released'],
        ]);
      });
    });

    it('does not keep its instance from being cancelled where the service does not answer', async () => {
      await withReserved(async (node, id, clock) => {
        const asked = new Promise<void>((resolve) => {
          onRequest = () => (resolve(), new Promise<void>(() => {}));
        });
        const cancelling = cancel(node, id);
        await asked;
        await clock.advance(10_000);
        await cancelling;
        expect([await statusOf(node, id), requests]).toEqual(['Cancelled', ['release']]);
      });
    });

    it('does not keep its instance from being cancelled, nor an alteration from being made, where the service refuses', async () => {
      await withReserved(async (node, id) => {
        onRequest = () => Promise.reject(new Error('not available'));
        await cancel(node, id);
        expect(await statusOf(node, id)).toBe('Cancelled');
      });
      await withReserved(async (node, id) => {
        onRequest = () => Promise.reject(new Error('not available'));
        const { isSuccessful } = await node
          .get(AlterationRunner)
          .run(id, [{ type: 'CancelActivity', activityId: 'R' }]);
        expect([isSuccessful, await statusOf(node, id), requests]).toEqual([true, 'Finished', ['release']]);
      });
    });
  },
);
