import type { JournalEntry } from '../api/instance-records.js';
import { nameOfEntry } from './name-of-entry.js';

describe('the name of an entry of a journal', () => {
  const entry = (more: Partial<JournalEntry>): JournalEntry => ({
    ...{ id: '1', activityInstanceId: 'i', activityId: '3f9a', activityType: 'Elsa.WriteLine', nodeId: 'W:F:3f9a' },
    ...{ timestamp: '2030-01-01T00:00:00Z', sequence: 1 },
    ...more,
  });
  const step = { id: '3f9a', nodeId: 'W:F:3f9a', type: 'Elsa.WriteLine', metadata: { displayText: 'Charge the card' } };
  const root = { id: 'F', nodeId: 'W:F', type: 'Elsa.Flowchart', activities: [step] };

  it.each([
    ['what its author has written on the activity', root, {}, 'Charge the card'],
    ['what the entry says, where the version is gone', undefined, { activityName: 'Charge' }, 'Charge'],
    ['the id of an activity without a name', undefined, {}, '3f9a'],
    ['the workflow', root, { activityType: 'Elsa.Workflow', activityId: 'W', nodeId: 'W' }, 'Workflow'],
  ])('is %s', (_what, definition, more, name) => expect(nameOfEntry(definition, entry(more))).toBe(name));
});
