import { describe, expect, it } from '@jest/globals';
import { Activity, Input, Output } from '../activities/decorators.js';
import { TestEvent } from '../execution/testing/event.js';
import {
  act,
  flow,
  get,
  lit,
  out,
  parallel,
  seq,
  variable,
  W,
  workflow,
} from '../execution/testing/build-definition.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';
import { activity } from './activity.js';
import type { Steps } from './activity-builder.js';
import { ifElse } from './branches.js';
import { CompositeBase } from './composite-base.js';
import { sequence } from './containers.js';
import { complete, inline, writeLine } from './steps.js';

@Activity({ outcomes: ['Small', 'Large'] })
class Rate extends CompositeBase {
  @Input({ type: 'Int32' }) amount: number;
  @Output({ type: 'String' }) rating?: string;

  define(): Steps {
    return [
      inline((ctx) => ctx.setVariable('Rating', ctx.getVariable<number>('Amount') > 100 ? 'A' : 'B')),
      writeLine((scope) => `rated ${String(scope.getVariable('Amount'))}`),
      ifElse((scope) => scope.getVariable('Rating') === 'A', complete('Large'), complete('Small')),
      writeLine('never'),
    ];
  }
}

@Activity()
class Waiting extends CompositeBase {
  @Input({ type: 'String' }) text: string;
  @Output() result: unknown;

  define(): Steps {
    return sequence([
      inline((ctx) => ctx.setVariable('Result', `<${String(ctx.getVariable('Text'))}>`)),
      activity(TestEvent, { eventName: 'go' }, { id: 'E' }),
      writeLine((scope) => String(scope.getVariable('Text'))),
    ]);
  }
}

@Activity()
class Outer extends CompositeBase {
  define(): Steps {
    return [activity(Rate, { amount: 5 }), writeLine('outer')];
  }
}

const options = { activities: [Rate, Waiting, Outer] };
const rate = (id: string, amount: number, rating?: unknown) => act('App.Rate', id, { amount: lit(amount), rating });

describe('a composite', () => {
  it('runs its activities, gives outputs and ends with the outcomes that Complete names', async () => {
    const root = flow('F', [rate('R', 500, out('V-id')), W('s'), W('l', get('V'))], ['R:Small->s', 'R:Large->l']);
    const run = await runWorkflow(workflow(root, { variables: [variable('V')] }), options);
    expect([run.status, run.lines]).toEqual(['Finished', ['rated 500', 'A']]);
  });

  it('keeps the data of two uses separate across a wait', async () => {
    const waiting = (text: string, target: string) =>
      act('App.Waiting', `W${text}`, { text: lit(text), result: out(target) });
    const both = parallel('P', [waiting('a', 'A-id'), waiting('b', 'B-id')]);
    const end = W('w', (s) => `${String(s.getVariable('A'))}${String(s.getVariable('B'))}`);
    const root = workflow(seq('S', [both, end]), { variables: [variable('A'), variable('B')] });
    const run = await runWorkflow(root, options);
    await run.trigger('E');
    expect([run.status, run.lines]).toEqual(['Finished', ['a', 'b', '<a><b>']]);
  });

  it('may contain composites, each of which ends separately', async () => {
    const run = await runWorkflow(seq('S', [act('App.Outer', 'O'), W('after')]), options);
    expect([run.status, run.lines]).toEqual(['Finished', ['rated 5', 'outer', 'after']]);
  });

  it('does not expose its variables', async () => {
    const run = await runWorkflow(seq('S', [rate('R', 1), W('w', (s) => String(s.hasVariable('Rating')))]), options);
    expect(run.lines).toEqual(['rated 1', 'false']);
  });
});
