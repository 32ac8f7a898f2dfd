import type { ActivityJson } from '../../api/definitions.js';
import type { Design } from './change.js';
import { ActivityCatalogue } from './descriptors.js';
import { findAll } from './find.js';
import { activityPath, levelAt } from './level.js';
import { stepsTo } from './steps-to.js';

const line = (id: string): ActivityJson => ({ id, type: 'Elsa.WriteLine' });
const root: ActivityJson = {
  id: 'F',
  type: 'Elsa.Flowchart',
  activities: [
    line('A'),
    { id: 'If', type: 'Elsa.If', then: { id: 'T', type: 'Elsa.Flowchart', activities: [line('B')] }, else: line('C') },
    { id: 'Steps', type: 'Elsa.Sequence', activities: [line('D')] },
    {
      id: 'M',
      type: 'Elsa.StateMachine',
      states: [{ name: 'Open', entry: line('E') }],
      transitions: [{ name: 'go', from: 'Open', to: 'Open', trigger: line('G') }],
    },
    { id: 'S', type: 'Elsa.Switch', cases: [{ label: 'x', activity: line('H') }] },
  ],
};
const design = { definitionId: 'd', root } as Design;

describe('the way to a path of the document', () => {
  it('ends at the level on which an activity is seen, wherever it stands', () => {
    for (const { activity, steps } of findAll(design, new ActivityCatalogue([]))) {
      const path = activityPath(levelAt(design, steps), activity.id)!;
      expect([activity.id, levelAt(design, stepsTo(design, [...path, 'text'])).path]).toEqual([
        activity.id,
        levelAt(design, steps).path,
      ]);
    }
  });

  it.each([
    [['root'], []],
    [['name'], []],
    [['root', 'activities', 1, 'then'], [{ id: 'If', slot: ['then'] }]],
    [['root', 'activities', 2, 'activities', 0], [{ id: 'Steps', slot: [] }]],
    [
      ['root', 'activities', 3, 'transitions', 0, 'trigger', 'name'],
      [
        { id: 'M', slot: [] },
        { id: 'transition:0', slot: ['trigger'] },
      ],
    ],
    // What is not there any more is seen from where it was.
    [['root', 'activities', 0, 'body'], []],
    [['root', 'activities', 9, 'then', 'text'], []],
  ])('the way to a path of the document of %j is %j', (path, steps) => {
    expect(stepsTo(design, path)).toEqual(steps);
  });
});
