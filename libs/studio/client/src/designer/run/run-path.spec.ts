import type { JournalEntry } from '../../api/instance-records.js';
import type { Design } from '../model/change.js';
import { levelAt } from '../model/level.js';
import { runPath } from './run-path.js';

const link = (source: string, port: string, target: string) => ({
  source: { activity: source, port },
  target: { activity: target, port: 'In' },
});
const flow = {
  id: 'Flow',
  type: 'Elsa.Flowchart',
  activities: [
    { id: 'If', type: 'Elsa.FlowDecision' },
    { id: 'Yes', type: 'Elsa.Event' },
    { id: 'No', type: 'Elsa.WriteLine' },
    { id: 'Loop', type: 'Elsa.ForEach', body: { id: 'Yes', type: 'Elsa.WriteLine' } },
  ],
  connections: [link('If', 'True', 'Yes'), link('If', 'False', 'No'), link('If', 'True', 'Loop')],
};
const design = { definitionId: 'd', root: flow } as unknown as Design;

const entries = (...told: readonly [string, string, string?][]) =>
  told.map(([nodeId, eventName, id]) => ({ nodeId, eventName, activityInstanceId: id ?? nodeId })) as JournalEntry[];

describe('the path of a run', () => {
  const ran = entries(
    ['W:Flow:If', 'Started', 'if'],
    ['W:Flow:If', 'Completed', 'if'],
    ['W:Flow:Yes', 'Started'],
    ['W:Flow:Loop', 'Started'],
    ['W:Flow:Loop:Yes', 'Started', 'in1'],
    ['W:Flow:Loop:Yes', 'Completed', 'in1'],
    ['W:Flow:Loop:Yes', 'Started', 'in2'],
    ['W:Flow:Loop:Yes', 'Faulted', 'in2'],
    ['W:Flow:Yes', 'Suspended'],
  );
  const outcomes = new Map([['if', ['True']]]);

  it('is highlighted as far as the journal goes, along the outcomes that were taken', () => {
    const top = levelAt(design, []);
    expect([...runPath(top, ran.slice(0, 3), outcomes).nodes]).toEqual([
      ['If', { tone: 'finished', times: 1 }],
      ['Yes', { tone: 'running', times: 1 }],
    ]);
    const whole = runPath(top, ran, outcomes);
    expect(whole.nodes.get('Yes')).toEqual({ tone: 'waiting', times: 1 });
    expect([...whole.connections]).toEqual([0, 2]);
    expect(whole.nodes.has('No')).toBe(false);
  });

  it('distinguishes activities with the same id on different levels', () => {
    const body = levelAt(design, [{ id: 'Loop', slot: ['body'] }]);
    expect([...runPath(body, ran, outcomes).nodes]).toEqual([['Yes', { tone: 'faulted', times: 2 }]]);
  });

  it('omits cancelled activities', () => {
    const given = entries(['W:Flow:Yes', 'Started'], ['W:Flow:Yes', 'Suspended'], ['W:Flow:Yes', 'Canceled']);
    expect(runPath(levelAt(design, []), given, new Map()).nodes.size).toBe(0);
  });

  it('the path of a run of a state machine is states, and transitions whose trigger came', () => {
    const event = (id: string) => ({ id, type: 'Elsa.Event' });
    const root = {
      id: 'M',
      type: 'Elsa.StateMachine',
      states: [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
      transitions: [
        { from: 'A', to: 'B', trigger: event('ab') },
        { from: 'A', to: 'C', trigger: event('ac') },
        { from: 'B', to: 'C', trigger: event('bc') },
      ],
    };
    const machine = levelAt({ definitionId: 'd', root } as unknown as Design, []);
    const told = entries(
      ['W:M:ab', 'Started'],
      ['W:M:ac', 'Started'],
      ['W:M:ab', 'Completed'],
      ['W:M:ac', 'Canceled'],
      ['W:M:bc', 'Suspended'],
    );
    const { nodes, connections } = runPath(machine, told, new Map());
    expect([...nodes].map(([id, { tone }]) => [id, tone])).toEqual([
      ['state:A', 'finished'],
      ['state:B', 'waiting'],
    ]);
    expect([...connections]).toEqual([0]);
  });

  it('the path of a run of a state machine shows what fails on a way out', () => {
    const event = (id: string) => ({ id, type: 'Elsa.Event' });
    const root = {
      id: 'M',
      type: 'Elsa.StateMachine',
      states: [{ name: 'A' }, { name: 'B' }],
      transitions: [
        { from: 'A', to: 'B', trigger: event('ab'), action: event('pay') },
        { from: 'A', to: 'B', action: event('other') },
      ],
    };
    const machine = levelAt({ definitionId: 'd', root } as unknown as Design, []);
    const told = entries(['W:M:ab', 'Started'], ['W:M:ab', 'Completed'], ['W:M:pay', 'Faulted']);
    const { nodes, connections } = runPath(machine, told, new Map());
    expect([...nodes].map(([id, { tone }]) => [id, tone])).toEqual([['state:A', 'faulted']]);
    expect([...connections]).toEqual([0]);
  });
});
