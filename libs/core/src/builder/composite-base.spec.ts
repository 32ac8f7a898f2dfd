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
import type { ValueCipher } from '../secrets/value-cipher.js';
import { EncryptedValue } from '../values/encrypted-value.js';
import { serialize } from '../values/storage-codec.js';
import { activity } from './activity.js';
import type { Steps } from './activity-builder.js';
import { ifElse } from './branches.js';
import { CompositeBase } from './composite-base.js';
import { sequence } from './containers.js';
import { compensable } from './scopes.js';
import { complete, fault, inline, writeLine } from './steps.js';

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

@Activity()
class Charge extends CompositeBase {
  @Input({ isSensitive: true }) pin: unknown;
  @Input({ isEncrypted: true }) card: unknown;

  define(): Steps {
    const show = (scope: { getVariable(name: string): unknown }) =>
      `${String(scope.getVariable('Pin'))}, ${String(scope.getVariable('Card'))}`;
    return [writeLine(show), activity(TestEvent, { eventName: 'go' }, { id: 'E' }), writeLine(show)];
  }
}

@Activity()
class Undone extends CompositeBase {
  @Input({ isEncrypted: true }) card: unknown;

  define(): Steps {
    const undo = [
      activity(TestEvent, { eventName: 'go' }, { id: 'E' }),
      writeLine((scope) => String(scope.getVariable('Card'))),
    ];
    return [compensable(writeLine('done'), { undo }), fault({ message: 'end' })];
  }
}

/** Texts are turned round. */
const turned = (text: string) => text.split('').reverse().join('');
const cipher: ValueCipher = {
  encrypt: (text) => new EncryptedValue('k', turned(text)),
  decrypt: ({ data }) => turned(data),
};

const options = { activities: [Rate, Waiting, Outer, Charge, Undone], cipher };
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

  it.each(['4711', 4711])(
    'does not store its sensitive inputs, and stores encrypted ones encrypted (%p)',
    async (code) => {
      const charge = act('App.Charge', 'C', { pin: lit(code), card: lit(code) });
      const run = await runWorkflow(seq('S', [charge]), options);
      expect(run.lines).toEqual(['4711, 4711']);
      expect(serialize(run.state)).not.toContain('4711');
      await run.trigger('E');
      expect([run.status, run.lines]).toEqual(['Finished', ['4711, 4711', 'null, 4711']]);
    },
  );

  it('keeps encrypted inputs so while a step within is undone', async () => {
    const run = await runWorkflow(seq('S', [act('App.Undone', 'C', { card: lit(4711) })]), options);
    expect([run.lines, run.waitingAt()]).toEqual([['done'], ['E']]);
    expect(serialize(run.state)).not.toContain('4711');
    await run.trigger('E');
    expect(run.lines).toEqual(['done', '4711']);
  });

  it('does not expose its variables', async () => {
    const run = await runWorkflow(seq('S', [rate('R', 1), W('w', (s) => String(s.hasVariable('Rating')))]), options);
    expect(run.lines).toEqual(['rated 1', 'false']);
  });
});
