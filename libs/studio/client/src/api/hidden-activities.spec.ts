import type { ActivityJson } from './definitions.js';
import { picturedWithHidden, withHidden } from './hidden-activities.js';

const beam = {
  id: 'B',
  name: 'BeamUp',
  type: 'Acme.Teleport',
  metadata: { displayText: 'Beam up', designer: { position: { x: 1, y: 2 } } },
  destination: { typeName: 'String', expression: { type: 'Literal', value: 'Mars' } },
};
const moved = { position: { x: 50, y: 60 } };
const placeholder = {
  id: 'B',
  nodeId: 'Workflow1:F:B',
  name: 'BeamUp',
  type: 'Elsa.NotFoundActivity',
  missingTypeName: 'Acme.Teleport',
  originalActivityJson: JSON.stringify({ ...beam, nodeId: 'Workflow7:Old:B' }),
  metadata: { displayText: 'Not Found: Acme.Teleport', designer: moved },
};
const link = (source: string, target: string) => ({ source: { activity: source }, target: { activity: target } });
const flowchart = (activities: readonly object[], connections: readonly object[], aside: readonly object[]) =>
  ({
    root: {
      id: 'F',
      type: 'Elsa.Flowchart',
      activities,
      connections,
      customProperties: { notFoundConnections: aside },
    },
  }) as unknown as { readonly root: ActivityJson };
const [a, c] = [
  { id: 'A', type: 'Elsa.WriteLine' },
  { id: 'C', type: 'Elsa.WriteLine' },
];

it('an activity of an unknown type is shown as it was written, with its connections, where its placeholder stands', () => {
  const stored = flowchart([a, placeholder, c], [link('A', 'B')], [link('B', 'C'), link('B', 'gone')]);
  const { root } = withHidden(stored, JSON.parse);
  expect(root).toEqual({
    ...stored.root,
    activities: [a, { ...beam, nodeId: 'Workflow7:Old:B', metadata: { displayText: 'Beam up', designer: moved } }, c],
    connections: [link('A', 'B'), link('B', 'C')],
    customProperties: { notFoundConnections: [link('B', 'gone')] },
  });
});

it('an activity of an unknown type is found in any container, and in an activity of an unknown type nothing is looked for', () => {
  const loop = { id: 'L', type: 'Elsa.While', body: { id: 'S', type: 'Elsa.Sequence', activities: [placeholder] } };
  const { root } = withHidden({ root: loop as unknown as ActivityJson }, JSON.parse);
  expect(root).toMatchObject({ body: { activities: [{ type: 'Acme.Teleport', name: 'BeamUp' }] } });
});

it('an activity of an unknown type has the node id of its placeholder in a picture, where instances name it by that', () => {
  const { root } = picturedWithHidden(flowchart([placeholder], [], []));
  expect(root.activities).toMatchObject([{ type: 'Acme.Teleport', nodeId: 'Workflow1:F:B' }]);
});

it('the JSON of an activity of an unknown type is read as that of its definition is, number by number', () => {
  const price = { rawJSON: '12.50' };
  const parse = (text: string): unknown => ({ ...(JSON.parse(text) as object), price });
  const { root } = withHidden({ root: placeholder as ActivityJson }, parse);
  expect(root.price).toBe(price);
});

it.each([undefined, 'no JSON', '[]', 'null', '{"type":"Elsa.NotFoundActivity"}'])(
  'a placeholder with the text %s stays one',
  (originalActivityJson) => {
    const stored = { root: { ...placeholder, originalActivityJson } as ActivityJson };
    expect(withHidden(stored, JSON.parse)).toBe(stored);
  },
);

it('a definition without unknown types is the same object', () => {
  const stored = flowchart([a, c], [link('A', 'C')], []);
  expect(withHidden(stored, JSON.parse)).toBe(stored);
});
