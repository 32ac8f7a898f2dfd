import { Activity } from '../activities/decorators.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, seq, W } from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

let called: string[];

@Activity({ type: 'App.Pooled' })
class Pooled extends ActivityBase {
  execute(ctx: ActivityExecutionContext) {
    ctx.createBookmark({ name: 'Pooled', callback: this.onResumed });
  }
  onResumed(ctx: ActivityExecutionContext) {
    called.push('onResumed');
    ctx.complete();
  }
  onModuleDestroy() {
    called.push('onModuleDestroy');
  }
}

@Activity({ type: 'App.Careless' })
class Careless extends ActivityBase {
  execute(ctx: ActivityExecutionContext) {
    ctx.createBookmark({ name: 'Careless', callback: 'onModuleDestroy' });
  }
  onModuleDestroy() {
    called.push('onModuleDestroy');
  }
}

const REFUSED = ['onModuleDestroy', 'toString', 'hasOwnProperty', 'constructor', '__defineGetter__', 'valueOf'];

describe('callbacks of a state', () => {
  beforeEach(() => void (called = []));

  const resumed = async (callbackMethodName: string) => {
    const test = new WorkflowTest({ activities: [Pooled] });
    const { graph, state } = await test.start(seq('S', [act('App.Pooled', 'P'), W('after')]));
    const [bookmark] = state.bookmarks;
    const changed = { ...state, bookmarks: [{ ...bookmark!, callbackMethodName }] };
    const wec = await test.runner.run({ graph, instanceId: 'instance', state: changed, bookmarkId: bookmark!.id });
    return [wec.subStatus, wec.incidents.map(({ exception }) => exception?.metadata?.code)];
  };

  it('callbacks of a state continue their activity', async () => {
    expect(await resumed('onResumed')).toEqual(['Finished', []]);
  });

  it.each(REFUSED)(
    'callbacks of a state do not continue it if they belong to Nest or to every object: %s',
    async (name) => {
      expect(await resumed(name)).toEqual(['Faulted', ['WM2015']]);
      expect(called).toEqual([]);
    },
  );

  it.each(REFUSED)(
    'callbacks of a state do not take over from a child if they belong to Nest or to every object: %s',
    async (name) => {
      const test = new WorkflowTest({ activities: [Pooled] });
      const { graph, state } = await test.start(seq('S', [act('App.Pooled', 'P'), W('after')]));
      const completionCallbacks = state.completionCallbacks.map((one) => ({ ...one, methodName: name }));
      expect(completionCallbacks).not.toEqual([]);
      const changed = { ...state, completionCallbacks };
      const bookmarkId = state.bookmarks[0]!.id;
      const wec = await test.runner.run({ graph, instanceId: 'instance', state: changed, bookmarkId });
      expect([wec.subStatus, test.lines]).toEqual(['Faulted', []]);
      expect(wec.incidents[0]!.exception).toMatchObject({ metadata: { code: 'WM2004' } });
    },
  );

  it('callbacks of a state are refused at once where an activity names a method of Nest itself', async () => {
    const run = await new WorkflowTest({ activities: [Careless] }).start(act('App.Careless', 'C'));
    expect([run.status, run.state.incidents[0]!.exception]).toMatchObject([
      'Faulted',
      { metadata: { code: 'WM2004' } },
    ]);
  });
});
