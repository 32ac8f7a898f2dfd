import { describe, expect, it } from '@jest/globals';
import { Activity, Input, Output } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { act, event, seq } from '../execution/testing/build-definition.js';
import { WorkflowTest } from '../execution/testing/run-workflow.js';

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
