import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  AlterationPlans,
  EnvironmentKeys,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  MemoryPersistence,
  RuntimeGate,
} from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const SECOND = 1000;
/** Longer than it takes to use up the attempts of a message. */
const LONG = 60 * SECOND;
const key = () => randomBytes(32).toString('base64');
const ring = (keys: string) => ({ keys: new EnvironmentKeys('K', { K: keys }) });

describe.each([
  ['no keys', undefined],
  ['other keys', ring(`k2:${key()}`)],
])('work that is encrypted, and a node with %s beside those that have the key', (_, encryption) => {
  let memory: MemoryPersistence;
  let clock: VirtualClock;
  let nodes: RuntimeNode[];

  beforeEach(async () => {
    for (const level of ['warn', 'error'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(() => {});
    memory = new MemoryPersistence();
    clock = new VirtualClock();
    const options = { clock, pollIntervalMs: SECOND, maxDeliveryAttempts: 3 };
    nodes = [];
    for (const keys of [ring(`k1:${key()}`), encryption])
      nodes.push(await startNode(memory, { ...options, nodeName: `node-${nodes.length}`, encryption: keys }));
    const variables = [
      { id: 'iban', name: 'iban', typeName: 'String', value: 'DE', storageDriverTypeName: 'EncryptedStorageDriver' },
    ];
    await nodes[0]!.deploy('safe', sequence('S', line('L', 'it runs'), waitFor('E', 'go')), { variables });
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    jest.restoreAllMocks();
  });

  it('is left to these, uncounted', async () => {
    const gate = nodes[0]!.get(RuntimeGate);
    gate.pause();
    const id = await nodes[0]!.get(IWorkflowDispatcher).dispatch({ definition: 'safe' });
    await clock.advance(LONG);
    expect(await memory.outbox.count()).toEqual({ waiting: 1, deadLetters: 0 });
    gate.resume();
    await clock.advance(LONG);
    const { subStatus } = await (await nodes[0]!.get(IWorkflowRuntime).createClient(id)).exportState();
    expect([subStatus, await memory.outbox.count()]).toEqual(['Suspended', { waiting: 0, deadLetters: 0 }]);
  });

  it('is left to these as a job of an alteration plan', async () => {
    const client = await nodes[0]!.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'safe' });
    const gate = nodes[0]!.get(RuntimeGate);
    gate.pause();
    // A message of a node that has no keys can be read by all: then the state is what it cannot read.
    const from = nodes[encryption ? 0 : 1]!;
    const planId = await from.get(AlterationPlans).submit({
      alterations: [{ type: 'ModifyVariable', variableId: 'iban', value: 'FR' }],
      filter: { workflowInstanceIds: [client.workflowInstanceId] },
    });
    const statusOf = async () => (await memory.alterations.findJobs(planId!, 10)).jobs.map(({ status }) => status);
    await clock.advance(LONG);
    expect(await statusOf()).toEqual(['Running']);
    gate.resume();
    await clock.advance(LONG);
    expect(await statusOf()).toEqual(['Completed']);
  });
});
