import { newestOf, outcomeChoices, targetsOf, versionsFor } from './alteration-targets.js';

const link = (activity: string, port?: string) => ({ source: { activity, port }, target: { activity: 'End' } });

it('offers the ways out of an activity that connections take, however deep it stands', () => {
  const inner = {
    id: 'Inner',
    type: 'Elsa.Flowchart',
    activities: [{ id: 'Ask', type: 'Elsa.FlowDecision' }],
    connections: [link('Ask', 'True'), link('Ask', 'False'), link('Ask', 'True'), link('Other', 'Odd')],
  };
  const root = { id: 'Flow', type: 'Elsa.Flowchart', activities: [inner], connections: [link('Inner')] };
  expect(outcomeChoices(root, 'Ask')).toEqual(['True', 'False']);
  expect(outcomeChoices(root, 'Inner')).toEqual(['Done']);
  expect(outcomeChoices(undefined, 'Ask')).toEqual([]);
});

it('offers every version that one of the instances does not have, and moves those only', () => {
  const targets = [{ version: 3 }, { version: 2 }, { version: 2 }];
  const versions = [{ version: 3 }, { version: 2 }, { version: 1 }];
  expect(versionsFor(targets, versions)).toEqual(versions);
  expect(versionsFor([{ version: 3 }], versions)).toEqual([{ version: 2 }, { version: 1 }]);
  expect(targetsOf(targets, { type: 'Migrate', targetVersion: 3 })).toEqual([{ version: 2 }, { version: 2 }]);
  expect(targetsOf(targets, { type: 'CancelActivity', activityId: 'A' })).toBe(targets);
  expect(newestOf([{ version: 1 }, ...targets])).toBe(targets[0]);
  expect(newestOf([])).toBeUndefined();
});
