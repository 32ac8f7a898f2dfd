import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IWorkflowDefinitionPublisher, MemoryPersistence } from '@waymark/runtime';
import { line, literal, type RuntimeNode, startNode, waitFor } from '../support/runtime-node.js';

let node: RuntimeNode;
beforeAll(async () => void (node = await startNode(new MemoryPersistence())));
afterAll(() => node.close());

interface Drawn {
  readonly states?: object[];
  readonly transitions?: object[];
  readonly initialState?: string;
}
const go = { name: 'Pay', from: 'Open', to: 'Paid', trigger: waitFor('E', 'paid') };
const machine = ({
  states = [{ name: 'Open' }, { name: 'Paid' }],
  transitions = [go],
  initialState = 'Open',
}: Drawn) => ({
  type: 'Elsa.StateMachine',
  id: 'M',
  states,
  transitions,
  initialState,
});

describe('a state machine', () => {
  it.each<[string, Drawn, [string, string][]]>([
    [
      'begins in a state that it does not have',
      { initialState: 'Opn' },
      [['initialState', "begins in the state 'Opn', which it does not have, so it faults. Did you mean 'Open'?"]],
    ],
    [
      'has a transition to a state that it does not have',
      { transitions: [go, { ...go, to: 'Closd', trigger: waitFor('F', 'closed') }] },
      [
        [
          'transitions[1].to',
          "has a transition 'Pay' that leads to the state 'Closd', which it does not have, so it is never taken. Choose one of its states.",
        ],
      ],
    ],
    [
      'has a transition from a state that it does not have',
      { transitions: [go, { from: 'Payd', to: 'Open' }] },
      [
        [
          'transitions[1].from',
          "has a transition 'Payd → Open' that leaves the state 'Payd', which it does not have, so it is never taken. Did you mean 'Paid'?",
        ],
      ],
    ],
    [
      'has two states of one name',
      { states: [{ name: 'Open' }, { name: 'Paid' }, { name: 'Paid', entry: line('L', 'x') }] },
      [['states[2].name', "has two states 'Paid', of which the first counts. Rename one."]],
    ],
    [
      'has a state that cannot be reached',
      {
        states: [{ name: 'Open' }, { name: 'Paid' }, { name: 'Lost' }],
        transitions: [go, { from: 'Lost', to: 'Open' }],
      },
      [['states[2]', "has a state 'Lost' that no transition leads to from 'Open'. Add one, or remove the state."]],
    ],
    [
      'has a condition that is a text',
      { transitions: [{ ...go, condition: literal('getPaid()', 'Boolean') }] },
      [
        [
          'transitions[0].condition',
          "has a transition 'Pay' whose condition is the text 'getPaid()', which is not true. Write true or false, or choose the language of the expression.",
        ],
      ],
    ],
  ])('is warned of when it %s', async (_, drawn, expected) => {
    const { problems, warnings } = await node
      .get(IWorkflowDefinitionPublisher)
      .validate({ definitionId: 'machine', root: machine(drawn) });
    expect(problems).toEqual([]);
    expect(warnings.filter(({ code }) => code === 'WM1096')).toEqual(
      expected.map(([member, message]) => ({
        code: 'WM1096',
        activityId: 'M',
        path: `root.${member}`,
        message: `State machine 'M' ${message}`,
      })),
    );
  });

  it.each<[string, Drawn]>([
    ['is complete', {}],
    ['has no states yet', { states: [], transitions: [] }],
    ['begins in its first state', { initialState: '' }],
    [
      'goes round in circles',
      { transitions: [go, { from: 'Paid', to: 'Open', condition: literal('True', 'Boolean') }] },
    ],
    ['has a condition that was cleared', { transitions: [{ ...go, condition: literal('', 'Boolean') }] }],
  ])('is not warned of when it %s', async (_, drawn) => {
    const root = machine(drawn);
    expect(await node.get(IWorkflowDefinitionPublisher).validate({ definitionId: 'machine', root })).toEqual({
      problems: [],
      warnings: [],
    });
  });
});
