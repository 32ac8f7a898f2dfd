import type { LetterFilter, LetterSource } from '../api/dead-letters.js';
import type { DeadLetterSearch } from './dead-letter-search.js';

/** What the address filters by, in the words of the API. A time without a zone is of the reader's. */
export function letterFilter(source: LetterSource, search: DeadLetterSearch): LetterFilter {
  const filter: LetterFilter =
    source === 'bookmark-queue'
      ? { workflowInstanceId: search.instance }
      : {
          kind: search.kind,
          errorCode: search.error,
          createdAfter: moment(search.from),
          createdBefore: moment(search.to),
        };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function moment(text: string | undefined): string | undefined {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
