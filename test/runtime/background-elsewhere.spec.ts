import { afterAll, afterEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase } from '@waymark/core';
import { IWorkflowRuntime } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

/** Names of the nodes on which the activity has run. */
const ran: string[] = [];

const nodeClass = (name: string) => {
  @Injectable()
  @Activity({ namespace: 'Test', kind: 'Job' })
  class Crunch extends ActivityBase {
    execute(): void {
      ran.push(name);
    }
  }
  return Crunch;
};

describeOn(await testBackends(), 'a node without places for background activities on $name', (backend) => {
  const nodes: RuntimeNode[] = [];
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close();
    ran.length = 0;
  });
  afterAll(() => backend.drop());

  it('starts instances, leaves their background work to other nodes, and serves what follows', async () => {
    const clock = new VirtualClock();
    const persistence = await backend.create();
    const open = async (name: string, backgroundConcurrency: number, store = persistence) => {
      const node = await startNode(store, { clock, backgroundConcurrency, providers: [nodeClass(name)] });
      nodes.push(node);
      return node;
    };
    const web = await open('web', 0);
    const job = { type: 'Test.Crunch', id: 'job', customProperties: { runAsynchronously: true } };
    await web.deploy('w', sequence('S', line('begin', 'begin'), job, line('end', 'end')));
    const client = await web.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'w' });
    await web.settled();
    await clock.advance(60_000);
    await web.settled();
    expect([web.lines, ran]).toEqual([['begin'], []]);

    const worker = await open('worker', 1, backend.name === 'memory' ? persistence : await backend.create());
    await worker.settled();
    await web.settled();
    expect(ran).toEqual(['worker']);
    expect([...web.lines, ...worker.lines]).toEqual(['begin', 'end']);
  });
});
