import { oneOf, pageOf, textOf } from '../app/search-params.js';

/** What the address of the list of dead letters says. */
export interface DeadLetterSearch {
  /** @default the outbox */
  readonly source?: 'bookmark-queue' | undefined;
  readonly kind?: string | undefined;
  readonly error?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly instance?: string | undefined;
  /** The one that is looked at. */
  readonly letter?: string | undefined;
  /** From 1. */
  readonly page?: number | undefined;
}

export const deadLetterSearch = (search: Record<string, unknown>): DeadLetterSearch => ({
  source: oneOf(search.source, ['bookmark-queue']),
  kind: textOf(search.kind),
  error: textOf(search.error),
  from: textOf(search.from),
  to: textOf(search.to),
  instance: textOf(search.instance),
  letter: textOf(search.letter),
  page: pageOf(search.page),
});
