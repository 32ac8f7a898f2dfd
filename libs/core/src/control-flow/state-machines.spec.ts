import type { ActivityJson } from '../definitions/workflow-definition.js';
import { W, act, code, event, lit, seq, variable, workflow } from '../execution/testing/build-definition.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';

const machine = (states: (string | object)[], transitions: object[], initialState?: string): ActivityJson =>
  act('StateMachine', 'M', {
    states: states.map((s) => (typeof s === 'string' ? { name: s } : s)),
    transitions,
    initialState,
  });
const to = (from: string, target: string, members: object = {}) => ({ from, to: target, ...members });

describe('a state machine', () => {
  it('moves from state to state, with its steps in order', async () => {
    const root = machine(
      [
        { name: 'Draft', entry: W('enter draft'), exit: W('exit draft') },
        { name: 'Done', entry: W('enter done') },
      ],
      [to('Draft', 'Done', { name: 'submit', trigger: event('Submit'), action: W('submitting') })],
    );
    const run = await runWorkflow(seq('S', [root, W('end')]));
    expect(run.waitingAt()).toEqual(['Submit']);
    await run.trigger('Submit');
    expect(run.lines).toEqual(['enter draft', 'submitting', 'exit draft', 'enter done', 'end']);
    expect(run.status).toBe('Finished');
  });

  it('waits for all triggers of a state and drops the others', async () => {
    const root = machine(
      ['A', 'B', 'C'],
      [
        to('A', 'B', { trigger: event('ab') }),
        to('A', 'C', { trigger: event('ac') }),
        to('C', 'B', { trigger: event('cb') }),
      ],
    );
    const run = await runWorkflow(root);
    expect(run.waitingAt()).toEqual(['ab', 'ac']);
    await run.trigger('ac');
    expect(run.waitingAt()).toEqual(['cb']);
    await run.trigger('cb');
    expect(run.status).toBe('Finished');
  });

  it('waits again when the condition is false', async () => {
    let allowed = false;
    const condition = code(async () => allowed);
    const run = await runWorkflow(machine(['A', 'B'], [to('A', 'B', { trigger: event('go'), condition })]));
    await run.trigger('go');
    expect(run.waitingAt()).toEqual(['go']);
    allowed = true;
    await run.trigger('go');
    expect(run.status).toBe('Finished');
  });

  describe.each([
    ['a variable that is not set', { typeName: 'Boolean', expression: { type: 'Variable', value: { id: 'Paid-id' } } }],
    ['an expression that gives undefined', code(() => undefined)],
    ['a promise of nothing', code(async () => null)],
    ['a bare expression that is false', { type: 'Literal', value: false }],
    ['a bare constant', false],
  ])('with %s as condition', (_, condition) => {
    const paid = [variable('Paid', 'Boolean')];

    it('waits again after the trigger', async () => {
      const root = machine(['A', 'B'], [to('A', 'B', { trigger: event('go'), condition })]);
      const run = await runWorkflow(workflow(root, { variables: paid }));
      await run.trigger('go');
      expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['go']]);
    });

    it('does not take a transition without a trigger, but the next one', async () => {
      const states = ['A', { name: 'B', entry: W('b') }, { name: 'C', entry: W('c') }];
      const root = machine(states, [to('A', 'B', { condition }), to('A', 'C')]);
      const run = await runWorkflow(workflow(root, { variables: paid }));
      expect([run.status, run.lines]).toEqual(['Finished', ['c']]);
    });
  });

  it.each([
    ['true', code(() => true)],
    ['a text that says true', lit('True')],
    ['a bare expression that is true', { type: 'Literal', value: true }],
    ['null, as if it had none', null],
    ['a constant without a value, as Studio leaves it', { typeName: 'Boolean', expression: { type: 'Literal' } }],
    ['an empty script, as Studio leaves it', { typeName: 'Boolean', expression: { type: 'JavaScript', value: ' ' } }],
  ])('takes a transition whose condition is %s', async (_, condition) => {
    const run = await runWorkflow(machine(['A', { name: 'B', entry: W('b') }], [to('A', 'B', { condition })]));
    expect([run.status, run.lines]).toEqual(['Finished', ['b']]);
  });

  it('is started by a trigger once: after that, it waits at the same trigger', async () => {
    let allowed = false;
    const condition = code(async () => allowed);
    const go = event('go', { start: true });
    const start = { request: { triggerActivityId: 'go' } };
    const run = await runWorkflow(machine(['A', 'B'], [to('A', 'B', { trigger: go, condition })]), start);
    expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['go']]);
    allowed = true;
    await run.trigger('go');
    expect(run.status).toBe('Finished');
    const again = machine([{ name: 'A', entry: W('a') }], [to('A', 'A', { trigger: go })]);
    const round = await runWorkflow(again, start);
    expect([round.status, round.waitingAt(), round.lines]).toEqual(['Suspended', ['go'], ['a', 'a']]);
  });

  it('begins at its initial state, and fires transitions without a trigger at once', async () => {
    const run = await runWorkflow(
      machine(['A', { name: 'B', entry: W('b') }, { name: 'C', entry: W('c') }], [to('B', 'C')], 'B'),
    );
    expect([run.status, run.lines]).toEqual(['Finished', ['b', 'c']]);
  });

  it.each([
    ['no states', machine([], []), 'Finished'],
    ['no states, but one to begin in', machine([], [], 'A'), 'Finished'],
    ['a state to begin in that it does not have', machine(['A', { name: 'B', entry: W('b') }], [], 'Bb'), 'Faulted'],
    ['a state that leads nowhere', machine(['A'], [to('A', 'Nowhere', { trigger: event('x') })]), 'Finished'],
    ['conditions that never hold', machine(['A', 'B'], [to('A', 'B', { condition: code(() => false) })]), 'Finished'],
    ['a circle without triggers', machine(['A', 'B'], [to('A', 'B'), to('B', 'A')]), 'Faulted'],
  ])('a state machine with %s ends', async (_, root, status) => {
    expect((await runWorkflow(root)).status).toBe(status);
  });
});
