import { describe, expect, it } from '@jest/globals';
import { IEventPublisher, WorkflowPersistence } from '@waymark/runtime';
import { W, delay, event, flow, forEach, list, parallel, runTask, seq } from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();
const deep = () =>
  seq('S', [
    flow(
      'F',
      [
        parallel('P', [
          event('E', 'cancel-go'),
          delay('D', '00:10:00'),
          runTask('T', 'Do'),
          forEach('L', list([1]), event('E2', 'cancel-go')),
        ]),
        W('never', 'never'),
      ],
      ['P->never'],
    ),
  ]);

describe('a cancelled instance', () => {
  it('is finished with all of its activities, from the inside out', async () => {
    const run = await (await test.run(deep())).cancel();
    expect([run.stored.status, run.status, run.bookmarks, run.stored.finishedAt instanceof Date]).toEqual([
      'Finished',
      'Cancelled',
      [],
      true,
    ]);
    expect(['S', 'F', 'P', 'E', 'D', 'T', 'L', 'E2', 'Workflow1'].map((id) => run.record(id).status)).toEqual(
      Array(9).fill('Canceled'),
    );
    const order = run.events('Canceled');
    for (const [inner, outer] of [
      ['E', 'P'],
      ['P', 'F'],
      ['F', 'S'],
      ['S', 'Workflow1'],
    ])
      expect(order.indexOf(inner!)).toBeLessThan(order.indexOf(outer!));
    expect(run.log.at(-1)?.eventName).toBe('Workflow cancelled');
  });

  it('leaves no bookmark or timer behind', async () => {
    const run = await (await test.run(deep())).cancel();
    expect(await test.app.get(WorkflowPersistence).bookmarks.findMany({ workflowInstanceId: run.id })).toEqual([]);
    const { resumed } = await test.app.get(IEventPublisher).publish('cancel-go');
    expect(resumed.map((r) => r.workflowInstanceId)).not.toContain(run.id);
    await test.app.advance(3_600_000);
    expect((await run.again()).lines).toEqual([]);
  });

  it('stays cancelled when it is cancelled again', async () => {
    const run = await (await test.run(deep())).cancel();
    const again = await run.cancel();
    expect([again.status, again.log.length]).toEqual(['Cancelled', run.log.length]);
  });

  it('a cancelled instance that had finished stays finished', async () => {
    expect((await (await test.run(W('w', 'w'))).cancel()).status).toBe('Finished');
  });
});
