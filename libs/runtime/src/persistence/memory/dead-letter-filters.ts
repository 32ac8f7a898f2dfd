import { startOfCodedText } from '../coded-text.js';
import type { OutboxDeadLetterFilter, DeadLetterFilter } from '../message-stores.js';
import type { BookmarkQueueDeadLetter, OutboxMessage } from '../records.js';

export function matchesOutboxDeadLetter(filter: OutboxDeadLetterFilter, row: OutboxMessage): boolean {
  const { id, ids, kind, errorCode, createdBefore, createdAfter } = filter;
  return (
    isOr(id, row.id) &&
    (ids === undefined || ids.includes(row.id)) &&
    isOr(kind, row.kind) &&
    hasCode(errorCode, row.lastError) &&
    isBetween(row.createdAt, createdAfter, createdBefore)
  );
}

export function matchesDeadLetter(filter: DeadLetterFilter, row: BookmarkQueueDeadLetter): boolean {
  const { ids, workflowInstanceId, name, reason, errorCode, deadLetteredBefore, deadLetteredAfter, canReplay } = filter;
  return (
    (ids === undefined || ids.includes(row.id)) &&
    isOr(workflowInstanceId, row.workflowInstanceId) &&
    isOr(name, row.activityTypeName) &&
    isOr(reason, row.reason) &&
    hasCode(errorCode, row.lastError) &&
    isBetween(row.deadLetteredAt, deadLetteredAfter, deadLetteredBefore) &&
    isOr(canReplay, row.canReplay)
  );
}

function isOr<T>(wanted: T | undefined, actual: T | undefined): boolean {
  return wanted === undefined || wanted === actual;
}

function hasCode(code: string | undefined, text: string | undefined): boolean {
  return code === undefined || (text?.startsWith(startOfCodedText(code)) ?? false);
}

function isBetween(time: Date, after: Date | undefined, before: Date | undefined): boolean {
  return (after === undefined || time > after) && (before === undefined || time < before);
}
