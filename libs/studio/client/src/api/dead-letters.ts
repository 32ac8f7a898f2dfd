import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PageOf, PlanAnswer, Total } from './definitions.js';
import { get, part, post, remove } from './request.js';

/** Messages of the outbox, or stimuli of the bookmark queue. */
export type LetterSource = 'outbox' | 'bookmark-queue';

interface AnyLetter {
  readonly id: string;
  readonly workflowInstanceId?: string;
  readonly createdAt: string;
  readonly attempts: number;
  readonly lastError?: string;
}

/** A message that no attempt helped. */
export interface MessageLetter extends AnyLetter {
  readonly kind: string;
  readonly payload: unknown;
}

/** A stimulus that found no bookmark in time, or whose delivery failed for good. */
export interface StimulusLetter extends AnyLetter {
  readonly correlationId?: string;
  readonly bookmarkId?: string;
  readonly stimulusHash?: string;
  readonly activityTypeName?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly deadLetteredAt: string;
  readonly expiresAt: string;
  readonly reason: 'Failed' | 'Expired';
  readonly canReplay: boolean;
  readonly replayedAt?: string;
}

export type DeadLetter = MessageLetter | StimulusLetter;

export const isMessage = (letter: DeadLetter): letter is MessageLetter => 'kind' in letter;

/** Those of the outbox are found by the first four, stimuli by their instance. */
export interface LetterFilter {
  readonly kind?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly workflowInstanceId?: string | undefined;
}

const KEY = 'dead-letters';

/** All that is known of dead letters; invalidate it after a change. */
export const deadLettersKey = [KEY] as const;

/** @param page from 0 */
export const letterListQuery = (source: LetterSource, filter: LetterFilter, page: number, pageSize: number) =>
  queryOptions({
    queryKey: [KEY, source, 'list', filter, page, pageSize],
    queryFn: ({ signal }) =>
      post<PageOf<DeadLetter>>(`${source}/dead-letters`, { ...filter, page, pageSize }, { signal }),
    placeholderData: (previous, query) => (query?.queryKey[1] === source ? keepPreviousData(previous) : undefined),
  });

/** How many there are. */
export const letterCountQuery = (source: LetterSource) =>
  queryOptions({
    queryKey: [KEY, source, 'count'],
    queryFn: ({ signal }): Promise<Total> =>
      post<PageOf<DeadLetter>>(`${source}/dead-letters`, { pageSize: 1 }, { signal }),
  });

export const letterQuery = (source: LetterSource, id: string) =>
  queryOptions({
    queryKey: [KEY, source, 'one', id],
    queryFn: ({ signal }) => get<DeadLetter>(`${source}/dead-letters/${part(id)}`, { signal }),
  });

/** What became of it: nothing of a message of the outbox. */
export interface LetterReplay {
  readonly replayed: boolean;
  readonly queueItemId?: string;
}

export const replayLetter = (source: LetterSource, id: string): Promise<LetterReplay | undefined> =>
  post(`${source}/dead-letters/${part(id)}/replay`);

export const deleteLetter = (source: LetterSource, id: string): Promise<void> =>
  remove(`${source}/dead-letters/${part(id)}`);

export interface LetterBulkAnswer extends PlanAnswer {
  readonly replayed?: number;
  readonly deleted?: number;
  readonly failures?: readonly { readonly id: string; readonly message?: string }[];
}

export const replayLetters = (source: LetterSource, ids: readonly string[]): Promise<LetterBulkAnswer> =>
  post(`bulk-actions/replay/${source}/dead-letters`, { ids });

export const deleteLetters = (source: LetterSource, ids: readonly string[]): Promise<LetterBulkAnswer> =>
  post(`bulk-actions/delete/${source}/dead-letters`, { ids });
