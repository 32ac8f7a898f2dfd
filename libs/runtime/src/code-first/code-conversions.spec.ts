import { Logger } from '@nestjs/common';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Activity, activity, ActivityBase, Input, setVariable, type WorkflowDefinitionBuilder } from '@waymark/core';
import { CodeFirstNode } from './testing/code-first-test.js';
import { Workflow, type WorkflowBuilder } from './workflow-decorator.js';

const seen: unknown[] = [];

@Activity()
class Rest extends ActivityBase {
  @Input({ type: 'TimeSpan' }) time: string | null;
  execute(): void {
    seen.push(this.time);
  }
}

function workflow(
  options: Parameters<typeof Workflow>[0],
  build: (w: WorkflowDefinitionBuilder) => unknown,
): new () => WorkflowBuilder {
  @Workflow(options)
  class Sample implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      build(w);
    }
  }
  return Sample;
}

const node = (): CodeFirstNode => new CodeFirstNode(undefined, [Rest]);

beforeAll(() => Logger.overrideLogger(false));

describe('values of workflows in code', () => {
  beforeEach(() => void (seen.length = 0));

  it('may be times in words, whose hours may exceed a day', async () => {
    const times = ['3 days', '72:00:00', '72h', 'PT72H', '1h 30m'];
    const built = workflow({ id: 'times' }, (w) =>
      w.root([...times.map((time) => activity(Rest, { time })), activity(Rest, { time: () => '72:00:00' })]),
    );
    const one = await node().start(built);
    await one.run('times:v1');
    expect(seen).toEqual(['3.00:00:00', '3.00:00:00', '3.00:00:00', '3.00:00:00', '01:30:00', '3.00:00:00']);
  });

  it('values of workflows in code that do not convert fault the activity (WM1101)', async () => {
    const wrong = workflow({ id: 'wrong' }, (w) => w.root(activity(Rest, { time: () => 'soon' })));
    const { state } = await (await node().start(wrong)).run('wrong:v1');
    expect([state.subStatus, state.incidents[0]?.message]).toEqual([
      'Faulted',
      expect.stringContaining('Cannot convert "soon" to a time span (TimeSpan)'),
    ]);
    const variable = workflow({ id: 'variable' }, (w) => {
      const count = w.variable<unknown>('count', { type: 'Int32' });
      w.root(setVariable(count, () => 'many'));
    });
    const assigned = await (await node().start(variable)).run('variable:v1');
    expect(assigned.state.incidents[0]?.message).toContain('Cannot convert "many" to a whole number (Int32)');
  });

  it('values of workflows in code become defaults in silence where the workflow wants that', async () => {
    const lenient = workflow({ id: 'lenient' }, (w) =>
      w.options({ strictConversions: false }).root([activity(Rest, { time: () => 'soon' })]),
    );
    const { state } = await (await node().start(lenient)).run('lenient:v1');
    expect([state.subStatus, seen]).toEqual(['Finished', ['00:00:00']]);
  });
});
