import type { Design } from '../model/change.js';
import { compare } from './diff.js';
import { bothLevels } from './both-levels.js';

const line = (id: string, text: string, x = 0) => ({
  id,
  type: 'Elsa.WriteLine',
  text: { typeName: 'String', expression: { type: 'Literal', value: text } },
  metadata: { designer: { position: { x, y: 0 } } },
});
const link = (source: string, target: string) => ({
  source: { activity: source, port: 'Done' },
  target: { activity: target, port: 'In' },
});
const design = (activities: unknown[], connections: unknown[] = [], more: object = {}) =>
  ({
    definitionId: 'd',
    root: { id: 'F', type: 'Elsa.Flowchart', activities, connections },
    ...more,
  }) as unknown as Design;

describe('the comparison of two versions', () => {
  it('finds no difference in the same, whatever the order of its members', () => {
    const one = design([line('A', 'x')], [], { name: 'N', description: null });
    const same = design([{ ...line('A', 'x'), nodeId: 'W:F:A', name: null }], [], { name: 'N' });
    expect(compare(one, same)).toMatchObject({ isSame: true });
  });

  it('tells what is new, gone, changed and only moved', () => {
    const before = design([line('A', 'x'), line('B', 'y'), line('C', 'z')], [link('A', 'B')]);
    const after = design([line('A', 'new'), line('C', 'z', 90), line('D', 'd')], [link('A', 'D')]);
    const { activities, connections } = compare(before, after);
    expect(activities.map(({ kind, activity }) => `${kind} ${activity.id}`).sort()).toEqual([
      'added D',
      'changed A',
      'moved C',
      'removed B',
    ]);
    expect(activities.find(({ kind }) => kind === 'changed')?.properties.map(({ name }) => name)).toEqual(['text']);
    expect(connections.map(({ kind, target }) => `${kind} ${target}`)).toEqual(['removed B', 'added D']);
  });

  it('looks into slots, and names what changed there only', () => {
    const within = (text: string) => design([{ id: 'If', type: 'Elsa.If', then: line('Yes', text) }]);
    const { activities } = compare(within('a'), within('b'));
    expect(activities.map(({ key, kind }) => [key, kind])).toEqual([['/F/If/then.Yes', 'changed']]);
  });

  it('finds variables and inputs by their names', () => {
    const variable = (name: string, typeName: string) => ({ id: name, name, typeName });
    const before = design([], [], { variables: [variable('A', 'String'), variable('B', 'String')] });
    const after = design([], [], {
      variables: [variable('New', 'String'), variable('B', 'Int32'), variable('A', 'String')],
    });
    expect(
      compare(before, after)
        .settings.map(({ name }) => name)
        .sort(),
    ).toEqual(['variables.B.typeName', 'variables.New']);
  });

  describe('of steps in an order', () => {
    const steps = (...ids: string[]) =>
      ({ root: { id: 'S', type: 'Elsa.Sequence', activities: ids.map((id) => line(id, 'x')) } }) as unknown as Design;

    it('tells of steps that were put in another order', () => {
      const [before, after] = [steps('Pay', 'Ship', 'End'), steps('Ship', 'Pay', 'End')];
      const differences = compare(before, after);
      expect(differences.isSame).toBe(false);
      expect(differences.activities).toMatchObject([
        {
          key: '/S',
          kind: 'changed',
          properties: [{ name: 'order of activities', from: 'Pay, Ship, …', to: 'Ship, Pay, …' }],
        },
      ]);
      const { edges } = bothLevels(before, after, differences);
      expect(edges.map(({ source, target, kind }) => [source, target, kind])).toEqual([
        ['/S/Ship', '/S/Pay', 'added'],
        ['/S/Pay', '/S/End', 'added'],
        ['/S/Pay', '/S/Ship', 'removed'],
        ['/S/Ship', '/S/End', 'removed'],
      ]);
    });

    it('finds no other order where a step is new or gone, or where connections lead from one to the other', () => {
      expect(compare(steps('A', 'B', 'C'), steps('A', 'New', 'C')).activities.map(({ kind }) => kind)).toEqual([
        'removed',
        'added',
      ]);
      const chart = (...ids: string[]) => design(ids.map((id) => line(id, 'x')));
      expect(compare(chart('A', 'B'), chart('B', 'A')).isSame).toBe(true);
    });
  });

  describe('of a state machine', () => {
    const event = (id: string, eventName: string) => ({
      id,
      type: 'Elsa.Event',
      eventName: { typeName: 'String', expression: { type: 'Literal', value: eventName } },
    });
    const way = (name: string | null, from: string, to: string, more: object = {}) => ({ name, from, to, ...more });
    const machine = (states: object[], transitions: object[], more: object = {}) =>
      ({
        definitionId: 'm',
        root: { id: 'M', type: 'Elsa.StateMachine', states, transitions, ...more },
      }) as unknown as Design;
    const places = (states: object) => ({ metadata: { designer: { states } } });
    const before = machine(
      [{ name: 'Open', entry: line('Greet', 'hello') }, { name: 'Paid' }, { name: 'Lost' }],
      [
        way('pay', 'Open', 'Paid', { trigger: event('Pay', 'paid') }),
        way('lose', 'Open', 'Lost'),
        way('back', 'Paid', 'Open'),
      ],
      places({ Open: { x: 0, y: 0 }, Paid: { x: 9, y: 9 } }),
    );
    const after = machine(
      [{ name: 'Open', entry: line('Greet', 'welcome') }, { name: 'Paid' }, { name: 'Sent' }],
      [
        way('pay', 'Open', 'Paid', { trigger: event('Pay', 'money came') }),
        way('back', 'Paid', 'Open', { displayName: 'Refund' }),
        way('send', 'Paid', 'Sent'),
      ],
      { ...places({ Open: { x: 0, y: 0 }, Paid: { x: 50, y: 9 } }), initialState: 'Paid' },
    );

    it('tells of states and transitions one by one, and of what runs in them', () => {
      const { activities, connections } = compare(before, after);
      const told = activities.map(({ kind, activity, trail, properties }) =>
        [kind, activity.type, activity.name ?? activity.id, ...trail, ...properties.map(({ name }) => name)].join(' '),
      );
      expect(told.sort()).toEqual([
        'added State Sent',
        'added Transition send',
        'changed Elsa.Event Pay pay: trigger eventName',
        'changed Elsa.StateMachine M initialState',
        'changed Elsa.WriteLine Greet Open: entry text',
        'changed Transition back displayName',
        'moved State Paid metadata.designer.position.x',
        'removed State Lost',
        'removed Transition lose',
      ]);
      expect(connections).toEqual([]);
    });

    it('finds no difference in the same, and transitions without names by their ends', () => {
      expect(compare(before, structuredClone(before))).toMatchObject({ isSame: true });
      const nameless = (...more: object[]) =>
        machine([{ name: 'A' }, { name: 'B' }], [way(null, 'A', 'B'), way(null, 'A', 'B'), ...more]);
      const { activities } = compare(nameless(), nameless(way(null, 'B', 'A')));
      expect(activities.map(({ kind, activity }) => `${kind} ${activity.id}`)).toEqual(['added B → A']);
    });

    it('tells of transitions that are asked in another order', () => {
      const states = [{ name: 'Open' }, { name: 'Paid' }];
      const ways = [way('pay', 'Open', 'Paid'), way('skip', 'Open', 'Paid')];
      const { activities } = compare(machine(states, ways), machine(states, ways.toReversed()));
      expect(activities).toMatchObject([
        { key: '/M', properties: [{ name: 'order of transitions', from: 'pay, skip', to: 'skip, pay' }] },
      ]);
      expect(compare(machine(states, ways), machine(states.toReversed(), ways, { initialState: 'Open' })).isSame).toBe(
        true,
      );
    });

    it('is drawn as states, with the transitions of both versions between them', () => {
      const { nodes, edges } = bothLevels(before, after, compare(before, after));
      expect(nodes.map(({ activity, kind }) => [activity.name, kind])).toEqual([
        ['Open', 'changed'],
        ['Paid', 'moved'],
        ['Sent', 'added'],
        ['Lost', 'removed'],
      ]);
      expect(edges.map(({ port, kind, isTransition }) => [port, kind, isTransition])).toEqual([
        ['pay', 'changed', true],
        ['Refund', 'changed', true],
        ['send', 'added', true],
        ['lose', 'removed', true],
      ]);
    });

    it('opens what runs in a transition', () => {
      const differences = compare(before, after);
      const { parent } = differences.activities.find(({ activity }) => activity.id === 'Pay')!;
      const { nodes } = bothLevels(before, after, differences, parent);
      expect(nodes.map(({ activity, kind }) => [activity.id, kind])).toEqual([['Pay', 'changed']]);
    });
  });

  it('marks a container on the picture in which something has changed', () => {
    const within = (text: string) => design([{ id: 'If', type: 'Elsa.If', then: line('Yes', text) }]);
    const [before, after] = [within('a'), within('b')];
    const { nodes } = bothLevels(before, after, compare(before, after));
    expect(nodes.map(({ activity, kind }) => [activity.id, kind])).toEqual([['If', 'changed']]);
  });

  it('puts both versions into one picture', () => {
    const before = design([line('A', 'x'), line('B', 'y')], [link('A', 'B')]);
    const after = design([line('A', 'x'), line('C', 'y')], [link('A', 'C')]);
    const { nodes, edges } = bothLevels(before, after, compare(before, after));
    expect(nodes.map(({ activity, kind }) => [activity.id, kind])).toEqual([
      ['A', undefined],
      ['C', 'added'],
      ['B', 'removed'],
    ]);
    expect(edges.map(({ target, kind }) => [target, kind])).toEqual([
      ['/F/C', 'added'],
      ['/F/B', 'removed'],
    ]);
  });
});
