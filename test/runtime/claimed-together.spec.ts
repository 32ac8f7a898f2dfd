import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import type { BurstCommit, OccurrenceClaim } from '@waymark/runtime/adapter';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const SECOND = 1000;
const STEPS = 40;
const CRONS = 5;

describeOn(await testBackends(), 'crons that are due at once, on $name', (backend) => {
  let clock: VirtualClock;
  let store: WorkflowPersistence;
  let node: RuntimeNode;
  afterAll(() => backend.drop());
  beforeEach(async () => {
    clock = new VirtualClock('2026-03-01T10:00:00.500Z');
    store = await backend.create();
    const options = resolveSchedulingOptions({ pollIntervalMs: SECOND });
    node = await startNode(store, {
      clock,
      providers: [...schedulingProviders, { provide: SCHEDULING_OPTIONS, useValue: options }],
    });
  });
  afterEach(() => node.close());

  it('are claimed by one transaction, and each instance is stored once, when its burst has ended', async () => {
    const ids = Array.from({ length: CRONS }, (_, n) => `cron-${n}`);
    for (const id of ids) {
      const cron = {
        type: 'Elsa.Cron',
        id: 'C',
        cronExpression: literal('*/10 * * * * *'),
        customProperties: { canStartWorkflow: true },
      };
      await node.deploy(id, sequence('S', cron, line('L', id)));
    }
    const claims: (readonly OccurrenceClaim[])[] = [];
    const commits: BurstCommit[] = [];
    const { triggers } = store;
    const claim = triggers.claim.bind(triggers);
    triggers.claim = (some) => (claims.push(some), claim(some));
    const commit = store.commit.bind(store);
    store.commit = (burst) => (commits.push(burst), commit(burst));
    await clock.advance(10 * SECOND);
    const finished = () => store.instances.count({ definitionIds: ids, subStatuses: ['Finished'] });
    for (let i = 0; i < STEPS && (await finished()) < CRONS; i++) await clock.advance(10);
    expect([await finished(), node.lines.toSorted()]).toEqual([CRONS, ids]);
    expect(claims.map((some) => some.length)).toEqual([CRONS]);
    expect(commits.map(({ firing, instance }) => [firing, instance.subStatus])).toEqual(
      ids.map(() => [undefined, 'Finished']),
    );
  });
});
