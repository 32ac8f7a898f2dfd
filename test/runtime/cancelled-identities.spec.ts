import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input } from '@waymark/core';
import { AlterationRunner, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { BurstExecutor, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const SECOND = 1000;
const NEVER_MS = 2 ** 30;

/** By text: the keys under which another system was asked for it. */
let keys: Map<string, string[]>;
/** Called before the answer to a request: a process may die there. */
let onRequest: (text: string, signal: AbortSignal) => Promise<void> | void;

@Injectable()
@Activity({ namespace: 'Test' })
class Effect extends ActivityBase {
  @Input({ type: 'String' }) text!: string;

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    keys.set(this.text, [...(keys.get(this.text) ?? []), ctx.idempotencyKey]);
    await onRequest(this.text, ctx.signal);
  }
}

const effect = (text: string): ActivityJson => ({
  type: 'Test.Effect',
  id: text.replaceAll(' ', '-'),
  text: literal(text),
});
const step = (id: string) => ({ type: 'Waymark.Compensable', id, body: effect(id), undo: effect(`undo ${id}`) });
const variables = [
  { id: 'v', name: 'V', typeName: 'Int32', value: 1, storageDriverTypeName: 'WorkflowInstanceStorageDriver' },
];

describeOn(await testBackends(), 'identities of undos after a cancellation on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  let wake: () => void;

  const node = async (on = clock): Promise<RuntimeNode> => {
    const options = { clock: on, pollIntervalMs: NEVER_MS, providers: [Effect] };
    const started = await startNode(await backend.create(), options);
    nodes.push(started);
    return started;
  };
  const client = (on: RuntimeNode, id?: string) => on.get(IWorkflowRuntime).createClient(id);
  const deploy = (on: RuntimeNode) =>
    on.deploy('w', sequence('S', step('a'), step('b'), step('c'), waitFor('E', 'never')), { variables });
  const start = async (on: RuntimeNode) => (await client(on)).createAndRunInstance({ definition: 'w' });

  /** A node dies when it has undone b: the effect is there, the commit is not. Returns another one, and the instance. */
  async function diesAtUndo(): Promise<{ other: RuntimeNode; id: string }> {
    const theirs = new VirtualClock();
    const dying = await node(theirs);
    await deploy(dying);
    const { workflowInstanceId: id } = await start(dying);
    const died = new Promise<void>((resolve) => {
      onRequest = (text) => {
        if (text !== 'undo b') return undefined;
        resolve();
        return new Promise((goOn) => (wake = goOn));
      };
    });
    expect(await (await client(dying, id)).cancel()).toBe(true);
    await died;
    onRequest = () => undefined;
    return { other: await node(), id };
  }

  /** Everything was undone: what the burst that was lost had done, once more, under the key that it had. */
  async function expectUndone(on: RuntimeNode, id: string, timesOfA = 1): Promise<void> {
    expect((await on.get(WorkflowPersistence).instances.load(id))?.subStatus).toBe('Cancelled');
    const times = ['undo c', 'undo b', 'undo a'].map((text) => [keys.get(text)?.length, new Set(keys.get(text)).size]);
    expect(times).toEqual([
      [2, 1],
      [2, 1],
      [timesOfA, 1],
    ]);
  }

  beforeEach(() => {
    keys = new Map();
    onRequest = () => undefined;
    wake = () => undefined;
    clock = new VirtualClock();
    nodes = [];
  });
  afterEach(async () => {
    wake();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('W9: identities of undos after a cancellation remain where the message of the cancellation is served again', async () => {
    const { other, id } = await diesAtUndo();
    await clock.advance(31 * SECOND);
    await other.settled();
    await expectUndone(other, id);
  });

  it('W9: identities of undos after a cancellation remain where the instance is taken over', async () => {
    const { other, id } = await diesAtUndo();
    // As `InterruptedInstances` does, before the claim of the message ends.
    const [createdAt, availableAt] = [new Date(clock.now()), new Date(clock.now() + NEVER_MS)];
    const message = { id: 'take-over/1', kind: 'take-over', payload: {}, createdAt, availableAt, attempts: 0 };
    await other.get(WorkflowPersistence).outbox.add([message]);
    expect(await other.get(BurstExecutor).takeOver(id, message.id)).toBe(true);
    await expectUndone(other, id);
  });

  it('W9: identities of undos after a cancellation remain where it is cancelled again, and its variables are changed', async () => {
    const { other, id } = await diesAtUndo();
    expect(await (await client(other, id)).cancel()).toBe(true);
    const alterations = [{ type: 'ModifyVariable' as const, variableId: 'v', value: 2 }];
    expect(await other.get(AlterationRunner).run(id, alterations)).toMatchObject({ isSuccessful: true });
    expect(keys.get('undo b')).toHaveLength(1);
    expect(await (await client(other, id)).cancel()).toBe(true);
    await clock.advance(31 * SECOND);
    await other.settled();
    await expectUndone(other, id);
  });

  it('W9: identities of undos after a cancellation remain after both, also on the node that was taken for dead, which stores nothing', async () => {
    const { other, id } = await diesAtUndo();
    await (await client(other, id)).cancel();
    await clock.advance(31 * SECOND);
    for (let round = 0; round < 5; round++) await other.get(RuntimeMaintenance).runOnce();
    await other.settled();
    wake();
    await nodes[0]!.settled();
    await expectUndone(other, id, 2);
  });

  it('lets an undo finish that is under way when its instance is cancelled again', async () => {
    const only = await node();
    await deploy(only);
    const { workflowInstanceId: id } = await start(only);
    const begun = new Promise<AbortSignal>((resolve) => {
      onRequest = (text, signal) => {
        if (text !== 'undo b') return undefined;
        resolve(signal);
        return new Promise((goOn) => (wake = goOn));
      };
    });
    await (await client(only, id)).cancel();
    const signal = await begun;
    const again = (await client(only, id)).cancel();
    expect(signal.aborted).toBe(false);
    wake();
    await again;
    await only.settled();
    expect((await only.get(WorkflowPersistence).instances.load(id))?.subStatus).toBe('Cancelled');
    expect([...keys.values()].map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
