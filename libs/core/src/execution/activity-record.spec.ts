import { describe, expect, it } from '@jest/globals';
import { Activity, Input, Output } from '../activities/decorators.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, event, seq } from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

/** Sets one of its outputs, and one that it does not declare. */
@Activity({ type: 'Test.Measure' })
class Measure extends ActivityBase {
  @Input() of: string;
  @Output() width: number;
  @Output() height: number;
  @Output({ isSerializable: false }) image: Uint8Array;

  execute(ctx: ActivityExecutionContext): void {
    this.height = 3;
    this.image = new Uint8Array(1000);
    ctx.setOutput('Remark', 'flat');
  }
}

describe('the record of an execution', () => {
  const records = async () => {
    const test = new WorkflowTest({ activities: [Measure], journal: true });
    const run = await test.start(seq('S', [act('Test.Measure', 'm', {}), event('e')]));
    return new Map(run.context.journal!.take().records.map((record) => [record.activityId, record]));
  };

  it('lists every output that is declared: null is what was not set, and bytes are not kept', async () => {
    const { outputs } = (await records()).get('m')!;
    expect(outputs).toEqual({ Width: null, Height: 3, Image: '(not serializable)', Remark: 'flat' });
    expect(Object.keys(outputs!)).toEqual(['Width', 'Height', 'Image', 'Remark']);
  });

  it('lists them while the activity waits, too, and none where none are declared', async () => {
    const all = await records();
    expect(all.get('e')).toMatchObject({ status: 'Running', outputs: { Result: null } });
    expect(all.get('S')!.outputs).toBeUndefined();
  });
});

/** Waits at each turn for the event of that number, and notes how often it was resumed. */
@Activity({ type: 'Test.Count' })
class Count extends ActivityBase {
  @Input({ type: 'Object' }) items: unknown;
  @Output() seen: number;
  override readonly unrecordedProperties = ['Bits'];

  execute(ctx: ActivityExecutionContext): void {
    this.seen = 0;
    this.wait(ctx);
  }

  onEvent(ctx: ActivityExecutionContext): unknown {
    const count = Number(ctx.properties.Count ?? 0) + 1;
    ctx.properties.Count = count;
    ctx.properties.Bits = new Uint8Array(count);
    if (count === 2) this.seen = 2;
    return count < 3 ? this.wait(ctx) : ctx.complete();
  }

  private wait(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ callback: this.onEvent });
  }
}

describe('the record of an execution that continues in another burst', () => {
  const begin = async () => {
    const test = new WorkflowTest({ activities: [Count], journal: true });
    const items = { typeName: 'Object', expression: { type: 'Literal', value: [1, 2] } };
    const run = await test.start(act('Test.Count', 'c', { items }));
    const take = () => run.context.journal!.take().records.find(({ activityId }) => activityId === 'c')!;
    return { run, take };
  };
  const resume = async ({ run, take }: Awaited<ReturnType<typeof begin>>) => {
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    return take();
  };

  it('says which parts are unchanged: inputs until they are evaluated again, outputs until one is set', async () => {
    const burst = await begin();
    expect(burst.take()).toMatchObject({ activityState: { Items: '[1,2]' }, outputs: { Seen: 0 } });
    const second = await resume(burst);
    expect(second).toMatchObject({ properties: { Count: 1 }, unchanged: ['activityState', 'outputs'] });
    const third = await resume(burst);
    expect(third).toMatchObject({ outputs: { Seen: 2 }, unchanged: ['activityState'] });
    const last = await resume(burst);
    expect(last).toMatchObject({ status: 'Completed', unchanged: ['activityState', 'outputs'] });
  });

  it('is whole where the burst before was not recorded', async () => {
    const burst = await begin();
    burst.take();
    for (const context of burst.run.state.activityExecutionContexts) expect(context.isRecorded).toBe(true);
    burst.run.edit((state) => {
      for (const context of state.activityExecutionContexts) delete context.isRecorded;
    });
    const second = await resume(burst);
    expect(second).toMatchObject({ activityState: { Items: '[1,2]' } });
    expect(second.unchanged).toBeUndefined();
    expect((await resume(burst)).unchanged).toEqual(['activityState']);
  });

  it('is whole under another version, whose rules may differ', async () => {
    const burst = await begin();
    burst.take();
    burst.run.edit((state) => void (state.definitionVersionId = 'another'));
    expect((await resume(burst)).unchanged).toBeUndefined();
  });

  it('omits properties that the activity excludes', async () => {
    const burst = await begin();
    burst.take();
    expect((await resume(burst)).properties).toEqual({ Count: 1 });
    expect(burst.run.state.activityExecutionContexts[0]!.properties).toHaveProperty('Bits');
  });
});

describe('an entry of the journal', () => {
  it('says where in the code its activity is written, where the definition says so', async () => {
    const test = new WorkflowTest({ activities: [Measure], journal: true });
    const written = { ...act('Test.Measure', 'm', {}), customProperties: { source: 'OrderWorkflow.cs:45' } };
    const odd = { ...act('Test.Measure', 'n', {}), customProperties: { source: 7 } };
    const run = await test.start(seq('S', [written, odd]));
    const sources = run.context.journal!.take().log.map(({ activityId, source }) => [activityId, source]);
    expect(sources).toContainEqual(['m', 'OrderWorkflow.cs:45']);
    expect(sources.filter(([, source]) => source !== undefined)).toHaveLength(2);
  });
});
