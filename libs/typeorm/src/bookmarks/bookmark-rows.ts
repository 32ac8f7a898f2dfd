import { deserialize, isStorableText } from '@waymark/core/adapter';
import { type StoredBookmark } from '@waymark/runtime';
import type { ClaimedBookmark } from '@waymark/runtime/adapter';
import { columnMap } from '../rows/column-map.js';
import { toOptionalText, toText } from '../rows/column-values.js';
import { date, optionalDate, optionalText, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

/** What is only read back, never searched. */
type Data = Pick<StoredBookmark, 'payload' | 'metadata'>;

export const BOOKMARK = columnMap<Omit<StoredBookmark, 'unreadable'>>()({
  id: text('id'),
  name: text('name'),
  hash: text('hash'),
  workflow_instance_id: text('workflowInstanceId'),
  activity_instance_id: text('activityInstanceId'),
  node_id: {
    members: ['activityNodeId'],
    // Node ids have no limit, and one that does not fit the column must not keep a bookmark from being stored.
    write: ({ activityNodeId: id }) => (id !== undefined && isStorableText(id) ? id : null),
    read: (value, bookmark) => {
      bookmark.activityNodeId = toOptionalText(value);
    },
  },
  correlation_id: optionalText('correlationId'),
  data: {
    members: ['payload', 'metadata'],
    write: ({ name, payload, metadata }) => {
      if (payload === undefined && metadata === undefined) return null;
      const data: Data = {};
      if (payload !== undefined) data.payload = payload;
      if (metadata !== undefined) data.metadata = metadata;
      return serialize(data, `bookmark "${name}"`);
    },
    read: (value, bookmark) => {
      if (value === null) return;
      const { payload, metadata } = deserialize<Data>(toText(value));
      bookmark.payload = payload;
      bookmark.metadata = metadata;
    },
  },
  created_at: date('createdAt'),
  due_at: optionalDate('dueAt'),
});

/** What a claim reads. */
export const CLAIMED = columnMap<Omit<ClaimedBookmark, 'wasClaimed'>>()({
  id: text('id'),
  name: text('name'),
  workflow_instance_id: text('workflowInstanceId'),
  due_at: date('dueAt'),
});
