import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { WorkflowClock, type WorkflowPersistence } from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const SECOND = 1000;
const STEPS = 40;

/** The clock of a node that has lost some seconds. What is due is decided by the time of the store. */
class Behind extends WorkflowClock {
  constructor(
    private readonly clock: VirtualClock,
    private readonly byMs: number,
  ) {
    super();
  }
  now(): number {
    return this.clock.now() - this.byMs;
  }
  override storeTime(): Date {
    return new Date(this.clock.now());
  }
  setTimer(callback: () => unknown, delayMs: number): () => void {
    return this.clock.setTimer(callback, delayMs);
  }
}

describeOn(
  await testBackends('memory', 'sqlite'),
  'published again by a node whose clock is behind, on $name',
  (backend) => {
    let clock: VirtualClock;
    let store: WorkflowPersistence;
    let inTime: RuntimeNode;
    let behind: RuntimeNode;
    afterAll(() => backend.drop());
    beforeEach(async () => {
      clock = new VirtualClock('2026-03-01T10:00:01Z');
      store = await backend.create();
      const options = resolveSchedulingOptions({ pollIntervalMs: SECOND });
      const providers = [...schedulingProviders, { provide: SCHEDULING_OPTIONS, useValue: options }];
      inTime = await startNode(store, { clock, providers });
      behind = await startNode(store, { clock: new Behind(clock, 5 * SECOND), providers });
    });
    afterEach(() => Promise.all([inTime.close(), behind.close()]));

    const started = (id: string) => store.instances.count({ definitionIds: [id] });
    async function expectAt(second: number, id: string, expected: number): Promise<void> {
      await clock.advance(Date.parse('2026-03-01T10:00:00Z') + second * SECOND - clock.now());
      // A burst takes some turns of the event loop.
      for (let i = 0; i < STEPS && (await started(id)) < expected; i++) await clock.advance(1);
      expect(await started(id)).toBe(expected);
    }
    const trigger = (type: string, inputs: object, properties: object = {}) =>
      sequence('S', { type, id: 'A', ...inputs, customProperties: { canStartWorkflow: true, ...properties } });

    it.each([
      ['Cron', trigger('Elsa.Cron', { cronExpression: literal('*/10 * * * * *', 'String') }), { misfire: 'once' }],
      [
        'Timer',
        trigger('Elsa.Timer', { interval: literal('00:00:10', 'TimeSpan') }, { validFrom: '2026-03-01T09:00:00Z' }),
        { validFrom: '2026-03-01T09:00:00Z', misfire: 'all' },
      ],
    ])('a %s fires each of its times once', async (type, root, properties) => {
      const id = `of ${type}`;
      await inTime.deploy(id, root);
      await expectAt(11, id, 1);
      const [activity] = (root as unknown as { activities: object[] }).activities;
      const changed = { ...activity, customProperties: { canStartWorkflow: true, ...properties } };
      await behind.deploy(id, sequence('S', changed as never));
      await expectAt(19, id, 1);
      await expectAt(21, id, 2);
    });

    it('a StartAt fires once', async () => {
      const root = (properties: object) =>
        trigger('Elsa.StartAt', { dateTime: literal('2026-03-01T10:00:10Z', 'DateTimeOffset') }, properties);
      await inTime.deploy('once', root({}));
      await expectAt(11, 'once', 1);
      await behind.deploy('once', root({ overlap: 'skip' }));
      await expectAt(30, 'once', 1);
    });
  },
);
