import { AUDIT_FORMATS } from '../../audit/audit-requests.js';
import { integer, listOf, object, oneOf, ref, text } from '../schemas/words.js';
import { answers, file, type RouteGroup } from './route-description.js';

export const AUDIT_OPERATIONS: RouteGroup = {
  tag: 'Audit trail',
  description: 'Who changed what through this API, and when.',
  routes: {
    'GET audit': answers(
      'listAuditEntries',
      'Entries, the newest first; `next` is the `after` of the next page',
      object({ items: listOf(ref('AuditEntry')), 'next?': text }),
    ),
    'GET audit/status': answers(
      'getAuditStatus',
      'How many entries this node has written since it started, and how many it failed to write',
      object({ written: integer, lost: integer }),
    ),
    'GET audit/export': file(
      'exportAuditEntries',
      'All entries that match, as lines of JSON or as CSV',
      ['application/x-ndjson', 'text/csv'],
      { query: { format: oneOf(AUDIT_FORMATS) } },
    ),
  },
};
