import type { Design } from './change.js';
import { ActivityCatalogue } from './descriptors.js';
import { findAll } from './find.js';
import { problemFinder } from './find-problem.js';

describe('what a problem is about', () => {
  const line = (id: string, name: string) => ({ id, name, type: 'Elsa.WriteLine' });
  const inner = (id: string, name: string) => ({ id, type: 'Elsa.Sequence', activities: [line('Step', name)] });
  const design = {
    definitionId: 'd',
    root: {
      id: 'F',
      type: 'Elsa.Flowchart',
      activities: [inner('One', 'First'), inner('Two', 'Second'), line('End', 'End')],
    },
  } as unknown as Design;
  const find = problemFinder(design, findAll(design, new ActivityCatalogue([])));
  const nameOf = (activityId?: string, path?: string) =>
    find({ message: 'm', ...(activityId && { activityId }), ...(path && { path }) })?.activity.name;

  it('is the activity that stands there, where several have its id', () => {
    expect(nameOf('Step', 'root.activities[1].activities[0].text')).toBe('Second');
    expect(nameOf('Step', 'root.activities[0].activities[0]')).toBe('First');
  });

  it('is the activity of its id, where its place is not known or another one by now', () => {
    expect(nameOf('Step')).toBe('First');
    expect(nameOf('Step', 'root.activities[7].text')).toBe('First');
    expect(nameOf('End', 'root.activities[0]')).toBe('End');
    expect([nameOf('Gone'), nameOf()]).toEqual([undefined, undefined]);
  });
});
