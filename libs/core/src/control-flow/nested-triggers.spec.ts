import { W, event, flow, parallel, seq, sub, workflow } from '../execution/testing/build-definition.js';
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

describe('the trigger of a used workflow that shares its id', () => {
  const used = child(seq('C', [event('Event1', { start: true }), W('approved')]));
  const inner = { triggerActivityId: 'S:Sub:C:Event1' };
  const start = (root: ReturnType<typeof W>, request: object) =>
    new WorkflowTest({ children: [used] }).start(workflow(root), request);

  it('is named by its place, and passes alone', async () => {
    const root = parallel('S', [seq('O', [event('Event1', { start: true }), W('outer')]), sub('Sub', used)]);
    const run = await start(root, inner);
    expect([run.lines, run.bookmarks.map((b) => b.activityNodeId)]).toEqual([
      ['approved'],
      [expect.stringMatching(/:O:Event1$/)],
    ]);
    const outer = await start(root, { triggerActivityId: 'Event1' });
    expect([outer.lines, outer.bookmarks.map((b) => b.activityNodeId)]).toEqual([
      ['outer'],
      [expect.stringMatching(/:C:Event1$/)],
    ]);
  });

  it('is where the flowchart around it begins, and not at a trigger that would wait', async () => {
    const root = flow(
      'S',
      [event('Event1', { start: true }), W('never'), sub('Sub', used), W('after')],
      ['Event1->never', 'Sub->after'],
    );
    const run = await start(root, inner);
    expect([run.status, run.lines]).toEqual(['Finished', ['approved', 'after']]);
  });

  it('leaves the start of a flowchart that has no other trigger as it is', async () => {
    const root = flow('S', [W('before'), sub('Sub', used), W('after')], ['before->Sub', 'Sub->after']);
    const run = await start(root, { triggerActivityId: 'Event1' });
    expect([run.status, run.lines]).toEqual(['Finished', ['before', 'approved', 'after']]);
  });

  it('keeps its name when another workflow is used before it', () => {
    const test = new WorkflowTest({ children: [used] });
    const namesIn = (...more: ReturnType<typeof W>[]) => {
      const graph = test.compile(workflow(seq('S', [...more, event('Event1', { start: true }), sub('Sub', used)])));
      return graph.findById('Event1').map((node) => graph.triggerIdOf(node));
    };
    expect(namesIn()).toEqual(['Event1', 'S:Sub:C:Event1']);
    expect(namesIn(sub('First', used))).toEqual(['Event1', 'S:First:C:Event1', 'S:Sub:C:Event1']);
  });
});

describe('triggers with one id in two branches', () => {
  const branch = (id: string) => seq(id, [event('E', { start: true }), W(`in ${id}`)]);

  it('go by their places, and each passes alone; one name for both means both, as in rows of before', async () => {
    const root = parallel('P', [branch('A'), branch('B')]);
    const startBy = (triggerActivityId: string) => new WorkflowTest().start(workflow(root), { triggerActivityId });
    expect((await startBy('P:B:E')).lines).toEqual(['in B']);
    expect((await startBy('P:A:E')).lines).toEqual(['in A']);
    expect((await startBy('E')).lines).toEqual(['in A', 'in B']);
    const { graph } = await startBy('E');
    expect(graph.findById('E').map((node) => graph.triggerIdsOf(node))).toEqual([
      ['P:A:E', 'E'],
      ['P:B:E', 'E'],
    ]);
  });
});
