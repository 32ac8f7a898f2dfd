import { Logger } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IBookmarkResumer, IWorkflowStarter, WorkflowClock } from '@waymark/runtime';
import type { VirtualClock } from '@waymark/testing';
import { SchedulingNodes, SECOND } from '../schedules/scheduling-nodes.spec.js';
import { repeatByCron, repeatEvery } from './repeat.js';

/** Times of the calls by the clock of the store, in milliseconds after 10:00. */
const calls: number[] = [];
let storeTime: () => number;

@Activity({ type: 'App.Every' })
class Every extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    repeatEvery(ctx, SECOND, { callback: this.look, startAt: new Date('2026-03-01T10:00:01Z') });
  }
  look(): void {
    calls.push(storeTime() - Date.parse('2026-03-01T10:00:00Z'));
  }
}

@Activity({ type: 'App.ByCron' })
class ByCron extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    repeatByCron(ctx, '* * * * * *', { callback: this.look });
  }
  look(): void {
    calls.push(storeTime() - Date.parse('2026-03-01T10:00:00Z'));
  }
}

/** The clock of a node that is a little off that of the store, as each is between two comparisons. */
class Off extends WorkflowClock {
  constructor(
    private readonly clock: VirtualClock,
    private readonly aheadMs: number,
  ) {
    super();
  }
  now(): number {
    return this.clock.now() + this.aheadMs;
  }
  override storeTime(): Date {
    return new Date(this.clock.now());
  }
  setTimer(callback: () => unknown, delayMs: number): () => void {
    return this.clock.setTimer(callback, delayMs);
  }
}

describe('activities that repeat on a node whose clock is off', () => {
  let cluster: SchedulingNodes;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  beforeEach(() => {
    calls.length = 0;
    cluster = new SchedulingNodes();
    storeTime = () => cluster.clock.now();
  });
  afterEach(() => cluster.close());

  async function begun(type: string, aheadMs: number) {
    const clock = new Off(cluster.clock, aheadMs);
    const app = await cluster.start({ pollIntervalMs: 100 }, { clock }, [Every, ByCron]);
    await cluster.publish(app, 'w', { id: 'R', type });
    const { result } = await app.get(IWorkflowStarter).start({ definition: 'w' });
    return { app, id: result!.workflowInstanceId };
  }

  it.each([
    ['App.Every', -20],
    ['App.Every', -400],
    ['App.Every', 20],
    ['App.ByCron', -20],
    ['App.ByCron', -400],
    ['App.ByCron', 20],
  ])('calls %s once for each time (%d ms ahead)', async (type, aheadMs) => {
    await begun(type, aheadMs);
    for (let ms = 0; ms < 5500; ms += 10) await cluster.clock.advance(10);
    // To a node that is behind, the beginning is a time of the expression as well.
    expect(calls.filter((ms) => ms >= SECOND).map((ms) => Math.floor(ms / SECOND))).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps the next time where it is resumed earlier by hand', async () => {
    const { app, id } = await begun('App.Every', -20);
    await cluster.clock.advance(1500);
    const [bookmark] = await cluster.store.bookmarks.findMany({ workflowInstanceId: id });
    await app.get(IBookmarkResumer).resumeById(bookmark!.id);
    await cluster.clock.advance(2 * SECOND);
    expect(calls.map((ms) => Math.floor(ms / 500) / 2)).toEqual([1, 1.5, 2, 3]);
  });
});
