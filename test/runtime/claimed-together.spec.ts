import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IWorkflowDefinitionPublisher, type WorkflowPersistence } from '@waymark/runtime';
import { type BurstCommit, type OccurrenceClaim } from '@waymark/runtime/adapter';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const SECOND = 1000;
const STEPS = 40;
const CRONS = 5;

describeOn(await testBackends(...EVERY_STORE), 'crons that are due at once, on $name', (backend) => {
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

  it('crons that are due at once start nothing when their workflow is deleted after the claim, and leave no dead letter', async () => {
    const cron = {
      type: 'Elsa.Cron',
      id: 'C',
      cronExpression: literal('*/10 * * * * *'),
      customProperties: { canStartWorkflow: true },
    };
    await node.deploy('doomed', sequence('S', cron, line('L', 'ran')));
    const { triggers } = store;
    const claim = triggers.claim.bind(triggers);
    triggers.claim = async (some) => {
      const claimed = await claim(some);
      await node.get(IWorkflowDefinitionPublisher).delete(['doomed']);
      return claimed;
    };
    const log = jest.spyOn(Logger.prototype, 'log').mockClear();
    await clock.advance(10 * SECOND);
    const lines = () => log.mock.calls.map(([text]) => String(text)).filter((text) => text.includes("trigger 'C'"));
    for (let i = 0; i < STEPS && lines().length === 0; i++) await clock.advance(10);
    expect(lines()).toEqual([expect.stringContaining('The occurrence 2026-03-01T10:00:10.000Z of trigger')]);
    await node.settled();
    expect([(await store.outbox.findDeadLetters({})).totalCount, (await store.outbox.count()).waiting]).toEqual([0, 0]);
    expect(node.lines).toEqual([]);
  });

  it('crons that are due at once are claimed by one transaction, and each instance is stored once, when its burst has ended', async () => {
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
