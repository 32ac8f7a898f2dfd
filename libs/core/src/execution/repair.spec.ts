import type { ActivityJson } from '../definitions/workflow-definition.js';
import { Activity, Output } from '../activities/decorators.js';
import type { Steps } from '../builder/activity-builder.js';
import { CompositeBase } from '../builder/composite-base.js';
import { inline, writeLine } from '../builder/steps.js';
import type { WorkflowState } from '../state/workflow-state.js';
import {
  act,
  code,
  event,
  flow,
  forEach,
  fork,
  forLoop,
  lit,
  out,
  seq,
  sub,
  variable,
  W,
  workflow,
} from './testing/build-definition.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';
import { executeAgain } from './execute-again.js';

@Activity({ type: 'App.Rates' })
class Rates extends CompositeBase {
  @Output({ type: 'Object' }) rating: unknown;
  define(): Steps {
    return [writeLine('charge'), inline((ctx) => ctx.setVariable('Rating', 'abc'))];
  }
}

/** Fails until it is mended. */
function breaking(mended: { yes: boolean }): ActivityJson {
  const run = () => {
    if (!mended.yes) throw new Error('out of coal');
  };
  return act('Inline', 'fails', { run });
}

/** As an alteration does: from what was stored, the failed execution runs again. */
async function retry(run: TestInstance): Promise<TestInstance> {
  run.edit((state) => Object.assign(state, { status: 'Running', subStatus: 'Suspended', finishedAt: undefined }));
  return run.run({
    isChange: true,
    onBegin: (wec) => {
      for (const ctx of wec.faultedContexts()) {
        void executeAgain(ctx);
      }
    },
  });
}

describe('an instance that was faulted while others had work to do, once it is repaired', () => {
  const cases: [string, (mended: { yes: boolean }) => ActivityJson, string[]][] = [
    [
      'goes on with all branches of a fork',
      (mended) => seq('S', [fork('F', [breaking(mended), seq('B', [W('b1'), W('b2')])], 'WaitAll'), W('after')]),
      ['b1', 'b2', 'after'],
    ],
    [
      'goes on with all branches of a flowchart',
      (mended) =>
        flow(
          'F',
          [W('St'), breaking(mended), W('B'), W('C'), W('J')],
          ['St->fails', 'St->B', 'B->C', 'fails->J', 'C->J'],
        ),
      ['St', 'B', 'C', 'J'],
    ],
  ];

  it.each(cases)('%s', async (_what, definition, lines) => {
    const mended = { yes: false };
    const run = await new WorkflowTest().start(definition(mended));
    expect([run.status, run.state.incidents.length]).toEqual(['Faulted', 1]);
    mended.yes = true;
    await retry(run);
    expect([run.status, run.lines.toSorted()]).toEqual(['Finished', lines.toSorted()]);
  });
});

describe('a container that failed by itself, once it is repaired', () => {
  const fails = (mended: { yes: boolean }) => () => {
    if (!mended.yes) throw new Error('out of coal');
    return true;
  };
  const transitions = (condition: unknown) => [
    { from: 'Draft', to: 'Sent', trigger: event('Send') },
    { from: 'Sent', to: 'Paid', trigger: event('Pay'), condition, action: W('book') },
    { from: 'Sent', to: 'Draft', trigger: event('Back') },
  ];
  const states = [{ name: 'Draft', entry: W('draft') }, { name: 'Sent', entry: W('send') }, { name: 'Paid' }];

  it('a state machine takes the transition whose condition had failed', async () => {
    const mended = { yes: false };
    const run = await new WorkflowTest().start(
      act('StateMachine', 'M', { states, transitions: transitions(code(fails(mended))) }),
    );
    await run.trigger('Send');
    await run.trigger('Pay');
    expect([run.status, run.lines]).toEqual(['Faulted', ['draft', 'send']]);
    mended.yes = true;
    await retry(run);
    expect([run.status, run.lines]).toEqual(['Finished', ['draft', 'send', 'book']]);
  });

  it('a state machine whose condition does not hold then waits for all ways out of its state', async () => {
    const mended = { yes: false };
    const condition = code(() => !fails(mended)());
    const run = await new WorkflowTest().start(
      act('StateMachine', 'M', { states, transitions: transitions(condition) }),
    );
    await run.trigger('Send');
    await run.trigger('Pay');
    mended.yes = true;
    await retry(run);
    expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['Back', 'Pay']]);
    await run.trigger('Back');
    expect([run.lines, run.waitingAt()]).toEqual([['draft', 'send', 'draft'], ['Send']]);
  });

  it('a state machine listens again where a way without a trigger had failed', async () => {
    const mended = { yes: false };
    const automatic = { from: 'Sent', to: 'Paid', condition: code(() => !fails(mended)()) };
    const root = act('StateMachine', 'M', { states, transitions: [...transitions(lit(true)), automatic] });
    const run = await new WorkflowTest().start(root);
    await run.trigger('Send');
    expect([run.status, run.lines]).toEqual(['Faulted', ['draft', 'send']]);
    mended.yes = true;
    await retry(run);
    expect([run.status, run.lines, run.waitingAt()]).toEqual(['Suspended', ['draft', 'send'], ['Back', 'Pay']]);
  });

  const into = (loop: ActivityJson, typeName: string) =>
    workflow(loop, { variables: [variable('V', typeName)], options: { strictConversions: true } });
  const body = W('w', (s) => String(s.getVariable('CurrentValue')));
  const loopOf = (state: WorkflowState) => state.activityExecutionContexts.find(({ id }) => id.endsWith('-2'))!;

  it('ForEach continues with the item that it could not assign', async () => {
    let items: unknown[] = [1, 2, 'x', 4];
    const loop = { ...forEach('L', () => items, body), currentValue: out('V-id') };
    const run = await new WorkflowTest().start(into(loop, 'Int32'));
    expect([run.status, run.lines]).toEqual(['Faulted', ['1', '2']]);
    items = [1, 2, 3, 4];
    await retry(run);
    expect([run.status, run.lines]).toEqual(['Finished', ['1', '2', '3', '4']]);
  });

  it('For does not leave out the number that it could not assign', async () => {
    const loop = forLoop('L', 254, 256, body, { currentValue: out('V-id') });
    const run = await new WorkflowTest().start(into(loop, 'Byte'));
    expect([run.status, run.lines]).toEqual(['Faulted', ['254', '255']]);
    expect(loopOf(run.state).properties).toMatchObject({ CurrentStep: 255 });
  });
});

describe.each(['counter', 'token'] as const)(
  'a flowchart that failed by itself, once it is repaired (%s)',
  (flowchartMode) => {
    const joining = (mended: { yes: boolean }, isLater: boolean) => {
      const mode = (): unknown => {
        if (!mended.yes) throw new Error('out of coal');
        return 'WaitAll';
      };
      const j = { ...act('FlowJoin', 'J'), mode: code(isLater ? async () => mode() : mode) };
      return flow('F', [W('a'), W('b'), event('E'), j, W('z')], ['a->E', 'a->b', 'b->J', 'E->J', 'J->z']);
    };

    it.each([false, true])('follows what it had not followed, and runs nothing again (later: %s)', async (isLater) => {
      const mended = { yes: false };
      const run = await new WorkflowTest({ flowchartMode }).start(joining(mended, isLater));
      expect([run.status, run.lines]).toEqual(['Faulted', ['a', 'b']]);
      await retry(run);
      expect([run.status, run.lines]).toEqual(['Faulted', ['a', 'b']]);
      mended.yes = true;
      await retry(run);
      expect([run.status, run.lines, run.waitingAt()]).toEqual(['Suspended', ['a', 'b'], ['E']]);
      await run.trigger('E');
      expect([run.status, run.lines]).toEqual(['Finished', ['a', 'b', 'z']]);
    });

    it('does so at a join that has run, whose mode fails then', async () => {
      let evaluations = 0;
      const mode = code(() => {
        if (++evaluations === 3) throw new Error('out of coal');
        return 'WaitAny';
      });
      const root = flow(
        'F',
        [W('a'), W('b'), { ...act('FlowJoin', 'J'), mode }, W('z')],
        ['a->b', 'a->J', 'b->J', 'J->z'],
      );
      const run = await new WorkflowTest({ flowchartMode }).start(root);
      expect(run.status).toBe('Faulted');
      const before = run.lines.length;
      await retry(run);
      expect([run.status, run.lines.slice(before).filter((line) => line === 'a'), run.lines.at(-1)]).toEqual([
        'Finished',
        [],
        'z',
      ]);
    });

    it('begins at its start where its retry policy has withdrawn the branches that waited', async () => {
      const mended = { yes: false };
      const policy = { customProperties: { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } } };
      const root = seq('S', [{ ...joining(mended, false), ...policy }, W('after')]);
      const run = await new WorkflowTest({ flowchartMode }).start(root);
      expect([run.status, run.lines]).toEqual(['Suspended', ['a', 'b']]);
      mended.yes = true;
      await run.run({ bookmarkId: run.bookmarks[0]!.id });
      expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['E']]);
      await run.trigger('E');
      expect([run.status, run.lines]).toEqual(['Finished', ['a', 'b', 'a', 'b', 'z', 'after']]);
    });

    it('continues where it failed when its retry policy has no attempt left, and it is retried by hand', async () => {
      const mended = { yes: false };
      const policy = { customProperties: { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } } };
      const run = await new WorkflowTest({ flowchartMode }).start({ ...joining(mended, false), ...policy });
      await run.run({ bookmarkId: run.bookmarks[0]!.id });
      expect([run.status, run.lines]).toEqual(['Faulted', ['a', 'b', 'a', 'b']]);
      mended.yes = true;
      await retry(run);
      expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['E']]);
      await run.trigger('E');
      expect([run.status, run.lines]).toEqual(['Finished', ['a', 'b', 'a', 'b', 'z']]);
    });

    it('continues in another version, which has the same connections', async () => {
      const mended = { yes: false };
      const before = await new WorkflowTest({ flowchartMode }).start(joining(mended, false));
      mended.yes = true;
      const to = flow(
        'F',
        [W('a'), W('b'), event('E'), act('FlowJoin', 'J', { mode: lit('WaitAll') }), W('y'), W('z')],
        ['a->E', 'a->b', 'b->J', 'E->J', 'J->y', 'y->z'],
      );
      const { run, report } = before.migrate(workflow(to, { id: 'test-v2', version: 2 }));
      expect(report.problems).toEqual([]);
      await retry(run);
      await run.trigger('E');
      expect([run.status, run.lines]).toEqual(['Finished', ['a', 'b', 'y', 'z']]);
      const without = flow('F', [W('a'), W('b'), event('E'), W('z')], ['a->E', 'a->b', 'b->z']);
      expect(before.migrate(workflow(without, { id: 'test-v3', version: 3 })).report.isPossible).toBe(false);
    });
  },
);

describe('a composite whose output did not fit its variable, once it is repaired', () => {
  const strict = (root: ActivityJson) =>
    workflow(root, { variables: [variable('V', 'Int32')], options: { strictConversions: true } });

  it('a workflow used as an activity sets its output, and does not run its steps again', async () => {
    const steps = seq('Q', [W('charge'), W('w', (s) => (s.setVariable('Out', 'abc'), 'ship'))]);
    const child = workflow(steps, {
      definitionId: 'Pays',
      options: { usableAsActivity: true },
      outputs: [{ name: 'Out', type: 'Object', isArray: false }],
    });
    const uses = seq('S', [sub('S1', child, { out: out('V-id') }), W('v', (s) => String(s.getVariable('V')))]);
    const run = await new WorkflowTest({ children: [child] }).start(strict(uses));
    expect([run.status, run.lines, run.state.incidents.map((i) => i.activityId)]).toEqual([
      'Faulted',
      ['charge', 'ship'],
      ['S1'],
    ]);
    run.edit((state) => {
      for (const { properties } of state.activityExecutionContexts) {
        const values = properties.Variables as Record<string, unknown> | undefined;
        if (values && 'Out' in values) values.Out = 5;
      }
    });
    await retry(run);
    expect([run.status, run.lines]).toEqual(['Finished', ['charge', 'ship', '5']]);
  });

  it('a composite in code is not run again by its retry policy', async () => {
    const policy = { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } };
    const root = act('App.Rates', 'R', { rating: out('V-id') }, policy);
    const run = await new WorkflowTest({ activities: [Rates] }).start(strict(root));
    expect([run.status, run.lines]).toEqual(['Suspended', ['charge']]);
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect([run.status, run.lines]).toEqual(['Faulted', ['charge']]);
  });
});

describe('work that is dropped with its owner', () => {
  it('is skipped, but not work that others scheduled', async () => {
    const branch = (id: string) => seq(id, [W(`${id}1`), W(`${id}2`)]);
    const run = await new WorkflowTest().start(
      seq('S', [
        fork('F', [seq('first', [W('w')]), branch('a'), branch('b'), seq('c', [W('c1'), event('E')])], 'WaitAny'),
        W('after'),
      ]),
    );
    expect([run.status, run.lines]).toEqual(['Finished', ['w', 'after']]);
    expect([run.context.queue.size, run.context.contexts.size]).toEqual([0, 0]);
  });
});

describe('the retry policy of an activity', () => {
  const policy = { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } };
  const failing = (times: number) => {
    let left = times;
    const run = () => {
      if (left-- > 0) throw new Error('out of coal');
    };
    return act('Inline', 'fails', { run }, policy);
  };

  it('counts the runs of the activity, not those of its burst', async () => {
    const run = await new WorkflowTest().start(failing(1), { attempt: 3 });
    expect([run.status, run.state.incidents]).toEqual(['Suspended', []]);
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect(run.status).toBe('Finished');
  });

  it('begins anew with a retry by hand', async () => {
    const run = await new WorkflowTest().start(failing(3));
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect(run.status).toBe('Faulted');
    const { id } = run.context.faultedContexts()[0]!;
    run.edit((state) => Object.assign(state, { status: 'Running', subStatus: 'Suspended', finishedAt: undefined }));
    await run.run({ activityHandle: { activityInstanceId: id } });
    expect([run.status, run.state.incidents]).toEqual(['Suspended', []]);
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect(run.status).toBe('Finished');
  });
});
