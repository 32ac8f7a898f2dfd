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
