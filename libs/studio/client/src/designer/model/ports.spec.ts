import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import { heightOf, isWide, type Slot, slotsOf } from './ports.js';

const slots = (...labels: string[]): Slot[] => labels.map((label) => ({ label, path: [label], isFilled: false }));
const LONG = 'Unmatched status code';

describe('the slots of an activity', () => {
  it('slots have names in words where the type gives none', () => {
    const ports = [
      { name: 'FailedToConnect', displayName: 'FailedToConnect', type: 'Embedded' },
      { name: 'Body', displayName: 'What is repeated', type: 'Embedded' },
      { name: 'OnHTTPError', type: 'Embedded' },
    ];
    const descriptor = { typeName: 'T', inputs: [], ports } as unknown as ActivityDescriptor;
    const found = slotsOf({ id: 'A', type: 'T' } as ActivityJson, descriptor);
    expect(found.map(({ label }) => label)).toEqual(['Failed to connect', 'What is repeated', 'OnHTTPError']);
  });

  it.each([
    [slots('Then', 'Else'), 1],
    [slots('200', '404', 'Timeout'), 2],
    [slots(LONG), 1],
    [slots(LONG, 'Body'), 2],
    // Behind the short one, the long one does not fit into the same row.
    [slots('Body', LONG, 'Timeout'), 3],
    [slots('Body', 'Catch', LONG, LONG), 3],
  ])('slots are as high as their rows: long names have one alone (%#)', (some, rows) => {
    expect(heightOf(['Done'], some)).toBe(56 + 30 * rows + 4);
  });

  it('slots are wide from the length on for which half of a node has no room', () => {
    expect(slots('Unmatched', 'Unmatched status').map(isWide)).toEqual([false, true]);
  });
});
