import type { ActivityJson } from '../api/definitions.js';
import { nameOfActivity } from './name-of-activity.js';

const root = {
  id: 'Flow',
  type: 'Elsa.Flowchart',
  activities: [
    { id: 'Send', type: 'Elsa.Fault', name: 'Send to bank', nodeId: 'Workflow1:Flow:Send' },
    {
      id: 'Loop',
      type: 'Elsa.While',
      body: { id: 'Send', type: 'Elsa.Fault', name: 'Inner', nodeId: 'Workflow1:Flow:Loop:Send' },
    },
    { id: 'Bare', type: 'Elsa.Fault' },
    { id: 'Told', type: 'Elsa.Fault', name: 'Fault1', metadata: { displayText: 'Tell the bank' } },
  ],
} as unknown as ActivityJson;

it.each([
  ['Send', 'Workflow1:Flow:Send', 'Send to bank'],
  ['Send', 'Workflow1:Flow:Loop:Send', 'Inner'],
  ['Send', 'elsewhere', 'Send to bank'],
  ['Bare', 'Workflow1:Flow:Bare', 'Bare'],
  ['Told', 'Workflow1:Flow:Told', 'Tell the bank'],
  ['Gone', 'Workflow1:Flow:Gone', 'Gone'],
])('an activity %s at %s is called %s', (activityId, activityNodeId, name) => {
  expect(nameOfActivity(root, { activityId, activityNodeId })).toBe(name);
  expect(nameOfActivity(undefined, { activityId, activityNodeId })).toBe(activityId);
});
