import { describe, expect, it, jest } from '@jest/globals';
import type { StoredBookmark } from '../persistence/records.js';
import { WorkflowBookmarksIndexed } from './workflow-events.js';

const STAYED = [{ id: 'a' }] as unknown as readonly StoredBookmark[];

describe('WorkflowBookmarksIndexed', () => {
  it('has the bookmarks that stayed in copies and in JSON', () => {
    for (const event of [
      new WorkflowBookmarksIndexed('i', [], [], STAYED),
      new WorkflowBookmarksIndexed('i', [], [], () => STAYED),
    ]) {
      const members = { workflowInstanceId: 'i', added: [], removed: [], unchanged: STAYED };
      expect(Object.assign({}, event)).toEqual(members);
      expect(JSON.parse(JSON.stringify(event))).toEqual(members);
    }
  });

  it('reads them only when they are asked for', () => {
    const read = jest.fn(() => STAYED);
    const event = new WorkflowBookmarksIndexed('i', [], [], read);
    expect(read).not.toHaveBeenCalled();
    expect(event.unchanged).toBe(STAYED);
  });
});
