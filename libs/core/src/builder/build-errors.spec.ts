import { describe, expect, it } from '@jest/globals';
import { Activity, Input, Output, Port } from '../activities/decorators.js';
import { isWaymarkError } from '../errors/waymark-error.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { activity, trigger, workflowActivity } from './activity.js';
import { flowDecision } from './branches.js';
import { fork, sequence } from './containers.js';
import { flowchart } from './flowchart.js';
import { forEach } from './loops.js';
import { setOutput, setVariable, writeLine } from './steps.js';
import { failure } from './testing/run-built.js';
import { variable } from './variable.js';
import { WorkflowDefinitionBuilder } from './workflow-definition-builder.js';

@Activity({ outcomes: ['Approved', 'Rejected'] })
class Approval extends ActivityBase {
  @Input() request: unknown;
  @Input({ isWrapped: false }) plain: unknown;
  @Output() by?: string;
  @Port() body: ActivityNode | undefined;
  undecorated?: string;
  execute(): void {}
}

class NoActivity {
  a: string;
}

const other = new WorkflowDefinitionBuilder('other');
const foreign = {
  variable: other.variable<string>('v'),
  input: other.input<string>('i'),
  output: other.output<string>('o'),
};

describe('a workflow that cannot be built', () => {
  it('has no root (WM1201), or two (WM1203)', () => {
    expect(failure(() => undefined)).toMatchObject({ code: 'WM1201', at: 'test' });
    expect(failure((w) => w.root(sequence([])).root(sequence([])))).toMatchObject({ code: 'WM1203' });
  });

  it.each([
    ['a variable', () => writeLine(foreign.variable), "'WriteLine1.text' uses the variable 'v'"],
    ['an input', () => writeLine(foreign.input), "the input 'i'"],
    ['an output', () => setOutput(foreign.output, 'x'), "the output 'o'"],
    ['a variable to set', () => setVariable(foreign.variable, 'x'), "the variable 'v'"],
    ['a target', () => activity(Approval, {}, { outputs: { by: foreign.variable } }), "'Approval1.by'"],
    [
      'a variable of another container',
      () => {
        const own = variable<string>('own');
        return sequence([sequence([], { variables: [own] }), writeLine(own)]);
      },
      "the variable 'own'",
    ],
  ])('uses %s of another workflow (WM1202)', (_, draw, text) => {
    expect(failure(draw)).toMatchObject({ code: 'WM1202', message: expect.stringContaining(text) });
  });

  it.each([
    ['variables', (w: WorkflowDefinitionBuilder) => [w.variable('a'), w.variable('a')]],
    ['inputs, in any casing', (w: WorkflowDefinitionBuilder) => [w.input('a'), w.input('A')]],
    ['outputs', (w: WorkflowDefinitionBuilder) => [w.output('a'), w.output('a')]],
    ['a blank name', (w: WorkflowDefinitionBuilder) => w.input(' ')],
    ['a name that loops set', (w: WorkflowDefinitionBuilder) => w.variable('CurrentValue')],
    [
      'variables of a container',
      (w: WorkflowDefinitionBuilder) => {
        w.variable('a');
        w.root(sequence([], { variables: [variable('a')] }));
      },
    ],
    ['ids', () => sequence([writeLine('a', { id: 'x' }), writeLine('b', { id: 'x' })])],
    ['an id that divides node ids', () => writeLine('a', { id: 'x:y' })],
  ])('has a duplicate or invalid name: %s (WM1203)', (_, draw) => {
    expect(failure(draw)).toMatchObject({ code: 'WM1203' });
  });

  it('may have a variable and an input of one name', () => {
    const w = new WorkflowDefinitionBuilder('x');
    w.variable('a');
    w.input('a');
    expect(w.root(sequence([])).build().definition.variables).toHaveLength(1);
  });

  const loop: Record<string, unknown> = {};
  loop.self = loop;
  it.each<[string, object | number, string]>([
    ['a class', new Map(), 'Approval1.request'],
    ['no number', Number.NaN, 'Approval1.request'],
    ['a date for any type', new Date(0), 'Approval1.request'],
    ['a big number inside', [1n], 'Approval1.request[0]'],
    ['a function inside', { a: [() => 1] }, 'Approval1.request.a[0]'],
    ['a variable inside', { a: foreign.variable }, 'Approval1.request.a'],
    ['a circle', loop, 'Approval1.request.self'],
    ['what looks like a function', [{ $function: 'x' }], 'Approval1.request[0]'],
  ])('has a constant that is not JSON: %s (WM1204)', (_, request, at) => {
    expect(failure(() => activity(Approval, { request }))).toMatchObject({
      code: 'WM1204',
      at: expect.stringContaining(at),
    });
  });

  it('has properties that are not JSON (WM1204)', () => {
    const given = { a: new Map() };
    for (const settings of [{ customProperties: given }, { metadata: given }, { json: given }])
      expect(failure(() => writeLine('x', settings))).toMatchObject({ code: 'WM1204' });
    expect(failure((w) => w.customProperties(given).root(sequence([])))).toMatchObject({ code: 'WM1204' });
  });

  it('has an expression where a constant is required (WM1204)', () => {
    expect(failure(() => activity(Approval, { plain: () => 1 }))).toMatchObject({
      code: 'WM1204',
      at: 'Approval1.plain',
    });
  });

  it('has a member that the class does not declare (WM1206)', () => {
    expect(failure(() => activity(Approval, { undecorated: 'x' }))).toMatchObject({
      code: 'WM1206',
      message: expect.stringContaining('inputs: request, plain; outputs: by; activities: body'),
    });
    expect(failure(() => activity(Approval, { by: 'x' }))).toMatchObject({
      code: 'WM1206',
      message: expect.stringContaining('{ outputs: { by: variable } }'),
    });
    expect(failure((w) => activity(Approval, {}, { outputs: { request: w.variable('v') } }))).toMatchObject({
      code: 'WM1206',
    });
    expect(failure(() => activity(NoActivity, { a: 'x' }))).toMatchObject({ code: 'WM1206', at: 'NoActivity' });
  });

  it.each<[string, () => unknown, string]>([
    ['no class', () => activity(undefined as never), 'two files import each other'],
    ['no trigger', () => trigger(null as never), 'two files import each other'],
    ['no root', () => undefined as never, 'must be a list of activities, not undefined'],
    ['no list', () => sequence(undefined as never), "'Elsa.Sequence.activities' must be a list of activities"],
    [
      'no step',
      () => sequence([writeLine('a'), undefined as never]),
      "'Elsa.Sequence.activities[1]' must be an activity",
    ],
    ['no branch', () => fork([undefined as never]), 'must be a list of activities, not undefined'],
    ['no start of a flowchart', () => flowchart((flow) => flow.start(undefined as never)), 'must be an activity'],
    ['no next step', () => flowchart((flow) => flow.start(writeLine('a')).next(undefined as never)), 'not undefined'],
    [
      'a setting among its inputs',
      () => activity('Elsa.Delay', { id: 'wait' }),
      "Give it as a setting: activity('Elsa.Delay'",
    ],
    [
      'an input and an output of one name',
      () => workflowActivity('tidy', { Order: 1 }, { outputs: { order: 'id' as never } }),
      "'order' is both an input and an output of 'tidy'",
    ],
    [
      'the same in an activity by its type',
      () => activity('App.Tidy', { order: 1 }, { outputs: { order: 'id' as never } }),
      "'order' is both an input and an output of 'App.Tidy'",
    ],
    ['a name among its inputs', () => activity('App.Stock.Take', { name: 'x' }), "is written '_Name'"],
  ])('has %s (WM1206)', (_, make, message) => {
    const failed = failure((w) => {
      w.root(make() as never);
      return undefined;
    });
    expect(failed).toMatchObject({ code: 'WM1206', message: expect.stringContaining(message) });
  });

  it('may have null in place of inputs and settings', () => {
    const made = activity(Approval as never, null as never, null as never);
    expect([made.members, made.settings]).toEqual([{}, {}]);
    expect(trigger('Elsa.Event', null as never, null as never).settings).toEqual({ canStartWorkflow: true });
    expect(workflowActivity('approval', null as never, null as never).settings).toEqual({});
  });

  it('has an activity in two places (WM1207)', () => {
    const line = writeLine('a');
    expect(failure(() => sequence([line, line]))).toMatchObject({ code: 'WM1207', at: 'WriteLine2' });
    expect(failure(() => sequence([writeLine('x', { id: 'x' }), sequence([line]), line]))).toMatchObject({
      code: 'WM1207',
    });
  });

  it('uses the item of a loop outside of the loop (WM1208)', () => {
    const hidden = () => forEach([1], (outer) => forEach([2], () => writeLine(outer)));
    expect(failure(hidden)).toMatchObject({ code: 'WM1208', message: expect.stringContaining('the inner loop hides') });
    const outside = () => {
      let leaked: Parameters<typeof writeLine>[0] = '';
      const loopOf = forEach([1], (item) => writeLine((leaked = item)));
      return sequence([loopOf, writeLine(leaked)]);
    };
    expect(failure(outside)).toMatchObject({ code: 'WM1208', message: expect.stringContaining('does not contain it') });
  });

  it('has a flowchart without a start, or with unreachable activities (WM1209)', () => {
    const [a, b] = [writeLine('a'), writeLine('b', { id: 'b' })];
    expect(failure(() => flowchart((flow) => void flow.from(a)))).toMatchObject({ code: 'WM1209' });
    expect(failure(() => flowchart((flow) => [flow.start(a), flow.start(b)]))).toMatchObject({ code: 'WM1209' });
    expect(failure(() => flowchart((flow) => [flow.start(a), flow.from(b)]))).toMatchObject({
      code: 'WM1209',
      at: 'b',
    });
  });

  it('follows an outcome that the activity does not have (WM1206)', () => {
    const [a, b] = [activity(Approval), writeLine('b')];
    expect(failure(() => flowchart((flow) => flow.start(a).on('Aproved', b)))).toMatchObject({
      code: 'WM1206',
      message: expect.stringContaining('Approved, Rejected, Done'),
    });
    expect(failure(() => flowchart((flow) => flow.start(flowDecision(true)).next(b)))).toMatchObject({
      code: 'WM1206',
    });
  });

  it('fails with an error that has a code', () => {
    const error = failure(() => undefined);
    expect(isWaymarkError(error, 'WM1201')).toBe(true);
    expect(error).toMatchObject({ name: 'WorkflowBuildError' });
  });
});
