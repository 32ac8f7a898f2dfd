import { W, event, flow, seq, sub, workflow } from '../execution/testing/build-definition.js';
import { WorkflowTest } from '../execution/testing/run-workflow.js';

const child = (root: ReturnType<typeof W>) =>
  workflow(root, { definitionId: 'Approval', options: { usableAsActivity: true } });
/** Definitions number their activities by themselves, so both may have an `Event1`. */
const startedBy = (used: ReturnType<typeof child>, isTrigger = true) =>
  workflow(seq('S', [event('Event1', { start: isTrigger }), sub('Sub', used), W('after')]));

describe('an activity of a used workflow that has the id of the trigger', () => {
  it.each([false, true])('waits in the burst of the start (it may start its own workflow: %s)', async (start) => {
    const used = child(seq('C', [W('ask'), event('Event1', { start }), W('approved')]));
    const run = await new WorkflowTest({ children: [used] }).start(startedBy(used), { triggerActivityId: 'Event1' });
    expect([run.status, run.lines]).toEqual(['Suspended', ['ask']]);
    await run.trigger('Event1');
    expect([run.status, run.lines]).toEqual(['Finished', ['ask', 'approved', 'after']]);
  });

  it('is not where its flowchart begins', async () => {
    const used = child(flow('F', [W('ask'), event('Event1'), W('approved')], ['ask->Event1', 'Event1->approved']));
    const run = await new WorkflowTest({ children: [used] }).start(startedBy(used), { triggerActivityId: 'Event1' });
    expect([run.status, run.lines]).toEqual(['Suspended', ['ask']]);
  });

  it('is the trigger where it alone may start the workflow', async () => {
    const used = child(flow('F', [W('ask'), event('Event1', { start: true }), W('approved')], ['Event1->approved']));
    const test = new WorkflowTest({ children: [used] });
    const run = await test.start(workflow(seq('S', [sub('Sub', used), event('Event1')])), {
      triggerActivityId: 'Event1',
    });
    expect([run.status, run.lines]).toEqual(['Suspended', ['approved']]);
  });

  it('is run by its id only where the outer workflow has none', async () => {
    const used = child(seq('C', [W('w', 'inner')]));
    const test = new WorkflowTest({ children: [used] });
    const run = await test.start(workflow(seq('S', [sub('Sub', used), W('w', 'outer')])), {
      activityHandle: { activityId: 'w' },
    });
    expect(run.lines).toEqual(['outer']);
  });
});
