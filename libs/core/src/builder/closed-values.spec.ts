import { describe, expect, it } from '@jest/globals';
import { flowJoin, flowSwitch, switchOn } from './branches.js';
import { fork } from './containers.js';
import { variable } from './variable.js';
import { input } from './workflow-arguments.js';
import { WorkflowDefinitionBuilder } from './workflow-definition-builder.js';

const builder = () => new WorkflowDefinitionBuilder('orders');
/** As plain JavaScript would give it. */
const wrong = (value: unknown): never => value as never;

describe('a value that is not among the permitted ones', () => {
  it.each<[string, () => unknown, string]>([
    [
      'w.options() activation',
      () => builder().options({ activation: wrong('Single') }),
      "w.options() of workflow 'orders' option 'activation' must be 'AllowAlways', 'Singleton', 'Correlation' or " +
        "'CorrelatedSingleton', not 'Single'.",
    ],
    [
      'w.options() flag',
      () => builder().options({ usableAsActivity: wrong('yes') }),
      "w.options() of workflow 'orders' option 'usableAsActivity' must be true or false, not 'yes'.",
    ],
    [
      'fork()',
      () => fork([], { join: wrong('All') }),
      "fork() option 'join' must be 'WaitAll' or 'WaitAny', not 'All'.",
    ],
    [
      'switchOn()',
      () => switchOn([], { mode: wrong('First') }),
      "switchOn() option 'mode' must be 'MatchFirst' or 'MatchAny', not 'First'.",
    ],
    [
      'flowSwitch()',
      () => flowSwitch([], { mode: wrong(1) }),
      "flowSwitch() option 'mode' must be 'MatchFirst' or 'MatchAny', not 1.",
    ],
    [
      'flowJoin()',
      () => flowJoin(wrong('All')),
      "flowJoin() argument 'mode' must be 'WaitAny', 'WaitAll' or 'WaitAllActive', not 'All'.",
    ],
    [
      'a variable',
      () => variable('total', { storage: wrong('disk') }),
      "variable 'total' option 'storage' must be 'instance', 'memory' or 'encrypted', not 'disk'.",
    ],
    [
      'an input',
      () => builder().input('order', { storage: wrong('disk') }),
      "input 'order' option 'storage' must be 'instance', 'memory' or 'encrypted', not 'disk'.",
    ],
    [
      'a declared input',
      () => builder().inputs({ order: input({ storage: wrong('disk') }) }),
      "input 'order' option 'storage' must be 'instance', 'memory' or 'encrypted', not 'disk'.",
    ],
  ])('is refused by %s', (_, build, message) => {
    expect(build).toThrow(expect.objectContaining({ code: 'WM1090', message }));
  });

  it('is a mistyped name of an option (WM1091)', () => {
    const options = { activations: 'Singleton' } as never;
    expect(() => builder().options(options)).toThrow(
      expect.objectContaining({
        code: 'WM1091',
        message: "w.options() of workflow 'orders' has no option 'activations'. Did you mean 'activation'?",
      }),
    );
  });

  it('does not prevent permitted values', () => {
    const mode = 'MatchAny';
    expect(() => {
      builder().options({ activation: 'CorrelatedSingleton', incidents: 'Page', strictConversions: false });
      fork([], { join: 'WaitAny' });
      switchOn([], { mode });
      flowSwitch([], { mode });
      flowJoin('WaitAllActive');
      variable('total', { storage: 'memory' });
    }).not.toThrow();
  });
});
