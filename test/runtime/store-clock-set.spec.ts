import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IWorkflowDispatcher, IWorkflowRuntime, MemoryPersistence, type WorkflowPersistence } from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { FaultPoints, withFaultPoints } from '@waymark/testing';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';
import { SetClock } from '../support/set-clock.js';

const SECOND = 1000;
const HOUR = 3_600_000;

// After a failover the database may be another server, whose clock is behind or ahead. What a node measures for itself, such as how
// long it leaves alone what others may be about to claim, is none of that clock's business.
describe.each([
  ['back', -HOUR],
  ['ahead', HOUR],
])('the clock of the store is set %s by an hour, at the end of an outage', (_direction, byMs) => {
  let memory: MemoryPersistence;
  let points: FaultPoints;
  let clock: SetClock;
  let nodes: RuntimeNode[];
  let warnings: jest.Spied<Logger['warn']>;

  const start = async (): Promise<RuntimeNode> => {
    const store = Object.assign(Object.create(withFaultPoints(memory, points)) as WorkflowPersistence, {
      close: async () => {},
    });
    const scheduling = { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions() };
    const node = await startNode(store, {
      clock,
      nodeName: `node-${nodes.length}`,
      pollIntervalMs: SECOND,
      providers: [...schedulingProviders, scheduling],
    });
    nodes.push(node);
    return node;
  };
  const finished = () => memory.instances.count({ subStatuses: ['Finished'] });

  beforeEach(async () => {
    memory = new MemoryPersistence();
    points = new FaultPoints();
    clock = new SetClock();
    nodes = [];
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const node = await start();
    await node.deploy('greet', line('L', 'hello'));
    const delay = { type: 'Elsa.Delay', id: 'D', timeSpan: literal('00:00:02', 'TimeSpan') };
    await node.deploy('wait', sequence('S', delay, line('W', 'waited')));
    points.refuse('everything');
    const client = await node.get(IWorkflowRuntime).createClient();
    const running = client.createAndRunInstance({ definition: 'greet' }).catch(() => undefined);
    await clock.advance(5 * SECOND);
    await running;
    points.heal();
    await clock.advance(2 * SECOND);
    clock.set(byMs);
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    warnings.mockRestore();
  });

  it('W8: what another node has left is served within seconds', async () => {
    const before = await finished();
    const { id } = (await memory.definitions.findMany({ definitionIds: ['greet'] })).items[0]!;
    const at = new Date(clock.now());
    const payload = { definition: { definitionVersionId: id }, workflowInstanceId: 'left' };
    await memory.outbox.add([{ id: 'm', kind: 'start', payload, createdAt: at, availableAt: at, attempts: 0 }]);
    await clock.advance(5 * SECOND);
    expect(await finished()).toBe(before + 1);
  });

  it('W4: a new delay ends on time, and dispatched workflows are started', async () => {
    const before = await finished();
    const client = await nodes[0]!.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'wait' });
    await nodes[0]!.get(IWorkflowDispatcher).dispatch({ definition: 'greet' });
    await clock.advance(SECOND);
    expect(await finished()).toBe(before + 1);
    await clock.advance(2 * SECOND);
    expect(await finished()).toBe(before + 2);
  });

  it('the log says when the outage was over', async () => {
    await clock.advance(30 * SECOND);
    const said = warnings.mock.calls.map(([text]) => String(text));
    expect(said.filter((text) => text.includes('The store answers again'))).toHaveLength(1);
  });
});
