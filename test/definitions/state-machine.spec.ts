import { describe, expect, it } from '@jest/globals';
import {
  W,
  act,
  delay,
  event,
  fault,
  js,
  lit,
  seq,
  setVariable,
  variable,
  type Activity,
} from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();

interface Transition {
  readonly name?: string;
  readonly from: string;
  readonly to: string;
  readonly trigger?: Activity;
  readonly condition?: unknown;
  readonly action?: Activity;
}
const state = (name: string) => ({ name, entry: W(`in${name}`, `+${name}`), exit: W(`out${name}`, `-${name}`) });
const bare = (name: string) => ({ name });
const machine = (states: object[], transitions: Transition[], more: object = {}) =>
  act('Elsa.StateMachine', 'M', { states, transitions, ...more });

describe('a state machine', () => {
  it('enters, waits for triggers, acts, leaves and enters the next', async () => {
    let run = await test.run(
      seq('S', [
        machine(
          [state('A'), state('B'), state('C')],
          [
            { name: 'go', from: 'A', to: 'B', trigger: event('E1', 'one'), action: W('act', 'act') },
            { name: 'on', from: 'B', to: 'C', trigger: event('E2', 'two') },
          ],
        ),
        W('z', 'z'),
      ]),
    );
    expect([run.lines, run.waitingAt]).toEqual([['+A'], ['E1']]);
    run = await run.event('one');
    expect([run.lines, run.waitingAt]).toEqual([['+A', 'act', '-A', '+B'], ['E2']]);
    run = await run.event('two');
    // A state that nothing leads out of is a final one: it is entered and not left.
    expect([run.status, run.lines]).toEqual(['Finished', ['+A', 'act', '-A', '+B', '-B', '+C', 'z']]);
  });

  it('cancels the triggers of the transitions not taken', async () => {
    let run = await test.run(
      machine(
        [bare('A'), state('B'), state('C')],
        [
          { from: 'A', to: 'B', trigger: event('E1', 'one') },
          { from: 'A', to: 'C', trigger: event('E2', 'two') },
        ],
      ),
    );
    expect(run.waitingAt).toEqual(['E1', 'E2']);
    run = await run.event('two');
    expect([run.status, run.lines, run.record('E1').status]).toEqual(['Finished', ['+C'], 'Canceled']);
  });

  it('waits again when the condition does not hold', async () => {
    const ready = variable('Ready', 'Boolean', false);
    let run = await test.run(
      machine(
        [bare('A'), state('B')],
        [
          { from: 'A', to: 'B', trigger: event('E', 'go'), condition: js('getReady()', 'Boolean') },
          { from: 'A', to: 'A', trigger: seq('Prepare', [event('P', 'prepare'), setVariable('Set', ready, true)]) },
        ],
      ),
      { variables: [ready] },
    );
    run = await run.event('go');
    expect([run.status, run.lines]).toEqual(['Suspended', []]);
    run = await run.event('prepare');
    run = await run.event('go');
    expect([run.status, run.lines]).toEqual(['Finished', ['+B']]);
  });

  it.each<[string, object, string[]]>([
    ['the first state', {}, ['+A']],
    ['the named one', { initialState: 'B' }, ['+B']],
    ['the first state, when none is named', { initialState: '' }, ['+A']],
    ['the first state, for null', { initialState: null, currentState: null }, ['+A']],
  ])('starts with %s', async (_, more, lines) => {
    expect(await test.lines(machine([state('A'), state('B')], [], more))).toEqual(lines);
  });

  it.each<[string, object[], Transition[], string[]]>([
    ['no states', [], [], []],
    ['a way to a state that does not exist', [state('A')], [{ from: 'A', to: 'Nowhere' }], ['+A']],
    ['a way from a state that does not exist', [state('A')], [{ from: 'Nowhere', to: 'A' }], ['+A']],
    ['a transition without a trigger', [state('A'), state('B')], [{ from: 'A', to: 'B' }], ['+A', '-A', '+B']],
    [
      'a transition without a trigger that is refused',
      [state('A'), state('B')],
      [
        { from: 'A', to: 'B', condition: lit(false) },
        { from: 'A', to: 'B', action: W('x', 'x') },
      ],
      ['+A', 'x', '-A', '+B'],
    ],
    [
      'a trigger that fires at once',
      [state('A'), state('B')],
      [{ from: 'A', to: 'B', trigger: W('t', 't') }],
      ['+A', 't', '-A', '+B'],
    ],
  ])('%s', async (_, states, transitions, lines) => {
    expect(await test.lines(machine(states, transitions))).toEqual(lines);
  });

  it('goes back and forth', async () => {
    let run = await test.run(
      machine(
        [state('On'), state('Off'), bare('End')],
        [
          { from: 'On', to: 'Off', trigger: event('E1', 'toggle') },
          { from: 'Off', to: 'On', trigger: event('E2', 'toggle') },
          { from: 'On', to: 'End', trigger: event('E3', 'end') },
        ],
      ),
    );
    for (let i = 0; i < 2; i++) run = await run.event('toggle');
    run = await run.event('end');
    expect([run.status, run.lines]).toEqual(['Finished', ['+On', '-On', '+Off', '-Off', '+On', '-On']]);
  });

  it('a state machine that loops without waiting faults', async () => {
    const run = await test.run(
      machine(
        [bare('A'), bare('B')],
        [
          { from: 'A', to: 'B' },
          { from: 'B', to: 'A' },
        ],
      ),
    );
    expect([run.status, run.incidents]).toEqual(['Faulted', [expect.stringContaining('loops endlessly')]]);
  });

  it('faults with its activities', async () => {
    const run = await test.run(machine([{ name: 'A', entry: fault('F', 'boom') }], []));
    expect([run.status, run.incidents]).toEqual(['Faulted', ['boom']]);
  });

  it('is driven by time', async () => {
    const run = await test.run(
      machine([state('A'), state('B')], [{ from: 'A', to: 'B', trigger: delay('D', '00:05:00') }]),
    );
    expect([run.status, run.waitingAt]).toEqual(['Suspended', ['D']]);
    await test.app.advance(300_000);
    expect((await run.again()).lines).toEqual(['+A', '-A', '+B']);
  });

  it('keeps its state to itself: two instances do not share it', async () => {
    const root = machine([bare('A'), state('B')], [{ from: 'A', to: 'B', trigger: event('E', 'go') }]);
    const first = await test.run(root);
    const second = await test.app.execute(first.stored.definitionId);
    expect((await second.event('go')).status).toBe('Finished');
    expect((await first.again()).waitingAt).toEqual(['E']);
  });
});
