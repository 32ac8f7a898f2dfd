import { outcomeChoices } from './alteration-targets.js';

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
