import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ActivityJson } from '@waymark/core';
import { IWorkflowDefinitionService, IWorkflowRuntime, StoreHealth, type WorkflowPersistence } from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { testBackends } from '../support/backends.js';
import { describeInTurnOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';
import { until } from '../support/until.js';
import { FaultProxy, WRITES } from './fault-proxy.js';

// Two nodes in real time, with stimuli, starts, delays and a timer under way when their database fails for some seconds.

const backends = await testBackends('mysql', 'postgres');

/** Of each kind. */
const COUNT = 10;
const SECOND = 1000;
const OUTAGE_MS = 2.5 * SECOND;
/** For all of it, on a machine that has much else to do: what is not done then was lost, or waits without end. */
const TEST_MS = 180 * SECOND;

const times = <T>(make: (n: number) => T): T[] => Array.from({ length: COUNT }, (_, n) => make(n));
const span = (value: string) => literal(value, 'TimeSpan');
const delay: ActivityJson = { type: 'Elsa.Delay', id: 'D', timeSpan: span('00:00:02') };
const everySecond: ActivityJson = { type: 'Elsa.Timer', id: 'T', interval: span('00:00:01'), ...startedBy };

describeInTurnOn(backends, 'a database that fails for some seconds: $name', (backend) => {
  const opened: (() => Promise<unknown>)[] = [];
  let warnings: jest.Spied<Logger['warn']>;
  let proxy: FaultProxy;
  let direct: WorkflowPersistence;

  const startANode = async (nodeName: string): Promise<RuntimeNode> => {
    const limits = { statementTimeoutMs: SECOND, connectTimeoutMs: 300 };
    const options = resolveSchedulingOptions();
    const node = await startNode(
      TypeOrmPersistence.fromUrl(proxy.url, { tablePrefix: backend.tablePrefix, ...limits }),
      {
        nodeName,
        pollIntervalMs: SECOND,
        // What is counted once is a dead letter.
        maxDeliveryAttempts: 1,
        drainTimeoutMs: 2 * SECOND,
        providers: [...schedulingProviders, { provide: SCHEDULING_OPTIONS, useValue: options }],
      },
    );
    opened.push(() => node.close());
    return node;
  };

  beforeEach(async () => {
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    proxy = await FaultProxy.open(backend.url ?? '');
    direct = await backend.create();
    await direct.initialize();
  });

  afterEach(async () => {
    proxy.heal();
    await Promise.all(opened.splice(0).map((close) => close()));
    await proxy.close();
    await direct.close();
    warnings.mockRestore();
  });

  afterAll(() => backend.drop());

  it.each<[string, () => unknown, string | undefined]>([
    ['is read-only', () => proxy.refuse(WRITES, 'read-only'), 'unwritable'],
    ['has no room on its disk', () => proxy.refuse(WRITES, 'disk-full'), 'unwritable'],
    ['forgets the connections that are open', () => proxy.blackHole('established'), undefined],
    ['swallows everything', () => proxy.blackHole('all'), 'unreachable'],
  ])(
    'W4, W5, W8: what is under way is done once, uncounted, and after it, when it %s',
    async (title, begin, healthMeanwhile) => {
      const nodes = [await startANode('one'), await startANode('two')];
      const [node] = nodes as [RuntimeNode, RuntimeNode];
      const idOf = (kind: string): string => `${kind}, when it ${title}`;
      await node.deploy(idOf('stimulus'), sequence('S', waitFor('E', idOf('go')), line('L', '')));
      await node.deploy(idOf('delay'), sequence('S', delay, line('L', '')));
      await node.deploy(idOf('start'), line('L', ''));
      await node.deploy(idOf('timer'), sequence('S', everySecond, line('L', '')));
      const finished = (kind: string) =>
        direct.instances.count({ definitionIds: [idOf(kind)], subStatuses: ['Finished'] });
      const health = async () =>
        (await Promise.all(nodes.map((each) => each.get(StoreHealth).check()))).filter(
          (text, n, all) => n === all.indexOf(text),
        );
      const atLeast = (least: number) => (count: number) => count >= least;
      expect(await until(() => finished('timer'), atLeast(1))).toBeGreaterThan(0);

      const run = async (kind: string) =>
        (await node.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition: idOf(kind) });
      const waiting = await Promise.all(times(() => run('stimulus')));
      await Promise.all(times(() => run('delay')));
      const { id: definitionVersionId } = await node.get(IWorkflowDefinitionService).require(idOf('start'));
      const now = (await direct.now())!;
      const row = { createdAt: new Date(now), attempts: 0 };
      const expiresAt = new Date(now + 3600 * SECOND);
      // As if their nodes had died: stimuli before they were offered to a bookmark, and starts before they were served.
      for (const { bookmarks, workflowInstanceId } of waiting) {
        const stimulusHash = bookmarks[0]!.hash;
        await direct.queue.enqueue({
          ...row,
          id: `q-${workflowInstanceId}`,
          stimulusHash,
          workflowInstanceId,
          expiresAt,
        });
      }
      const starts = times((n) => ({
        definition: { definitionVersionId },
        workflowInstanceId: `${n} ${idOf('start')}`,
      }));
      const available = { ...row, kind: 'start', availableAt: new Date(now) };
      await direct.outbox.add(starts.map((payload) => ({ ...available, id: payload.workflowInstanceId, payload })));

      begin();
      await until(
        () => direct.now(),
        (time) => time! > now + OUTAGE_MS,
      );
      if (healthMeanwhile) {
        // On a busy machine a connection that is not there in time is another answer, which is not the last one.
        const isKnown = (all: readonly string[]) => all.join() === healthMeanwhile;
        expect(await until(health, isKnown)).toEqual([healthMeanwhile]);
        expect((await finished('stimulus')) + (await finished('delay'))).toBeLessThan(2 * COUNT);
      }
      const ticks = await finished('timer');

      proxy.heal();
      for (const kind of ['stimulus', 'delay', 'start'])
        expect(await until(() => finished(kind), atLeast(COUNT))).toBe(COUNT);
      await until(() => finished('timer'), atLeast(ticks + 1));
      const isWritable = (all: readonly string[]) => all.join() === 'writable';
      expect(await until(health, isWritable)).toEqual(['writable']);

      // Read before the time is: there cannot be more of them than seconds by then.
      const ticksNow = await finished('timer');
      const elapsed = (await direct.now())! - now;
      expect(ticksNow).toBeLessThanOrEqual(ticks + elapsed / SECOND + 1);
      for (const kind of ['stimulus', 'delay', 'start'])
        expect(await direct.instances.count({ definitionIds: [idOf(kind)] })).toBe(COUNT);
      const { items } = await direct.instances.findMany({
        definitionIds: [idOf('stimulus'), idOf('delay'), idOf('start')],
      });
      const logs = await Promise.all(items.map(({ id }) => direct.journal.readLog(id)));
      const lines = logs.map((log) => log.filter((e) => e.activityId === 'L' && e.eventName === 'Completed').length);
      expect(lines).toEqual(Array.from({ length: 3 * COUNT }, () => 1));
      expect([
        (await direct.outbox.findDeadLetters({})).totalCount,
        (await direct.queue.findDeadLetters({})).totalCount,
      ]).toEqual([0, 0]);
      const begun = warnings.mock.calls.filter(([text]) => String(text).includes('The store failed.'));
      expect(begun.length).toBeLessThanOrEqual(nodes.length);
    },
    TEST_MS,
  );
});
