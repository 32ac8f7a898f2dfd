import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, Input } from '@waymark/core';
import { IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
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
