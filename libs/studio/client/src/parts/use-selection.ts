import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { live } from '../api/live/live.js';
import type { ServerEvent } from '../api/live/read-events.js';
import { renewed, type Ticked, without } from './ticked.js';
import { notifyError } from './toasts.js';

interface SelectionOptions<T> {
  /** Of the page that is seen. */
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  /** What the list is filtered by: equal as long as the same rows match. */
  readonly filter: object;
  /** Every row that matches, of all pages. */
  readonly findAll: () => Promise<readonly T[]>;
  /** Those with these ids that are there, as they are now. Undefined: not known. */
  readonly findThese: (ids: readonly string[]) => Promise<readonly T[] | undefined>;
  /** The row that an event of the server says is gone. Other functions mean the same. */
  readonly deletedBy: (event: ServerEvent) => string | undefined;
}

export interface RowSelection<T> {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  readonly rows: readonly T[];
  /** If true, as many as the page that is seen has, or more. */
  readonly isPage: boolean;
  /** If true, the rows are from all pages. */
  readonly isOfAll: boolean;
  readonly takeAll: () => void;
  readonly isTaking: boolean;
  readonly clear: () => void;
  /** Asks for those that are on other pages: they may have changed, or be gone. */
  readonly renew: () => Promise<void>;
}

/**
 * Rows that are ticked, on any page, or all that match. A row stays ticked when others that are new move it to the next page: what a
 * person reads in a confirmation would change below their eyes. With another filter, only what is seen counts.
 */
export function useSelection<T>(options: SelectionOptions<T>): RowSelection<T> {
  const { rows, idOf, filter, findAll, deletedBy } = options;
  const key = JSON.stringify(filter);
  const [ticked, setTicked] = useState<Ticked<T>>({ key, rows: new Map() });
  const now = useRef({ ...options, ticked });
  now.current = { ...options, ticked };
  const renew = useCallback(async () => {
    const { ticked: before, rows: seen, idOf: idOfRow, findThese } = now.current;
    const onPage = new Set(seen.map(idOfRow));
    const asked = [...before.rows.keys()].filter((id) => !onPage.has(id));
    if (asked.length === 0) return;
    const found = await findThese(asked);
    if (found)
      setTicked((since) => renewed(since, asked, new Map(found.map((row): [string, T] => [idOfRow(row), row]))));
  }, []);
  useEffect(
    () =>
      // On another page, nothing else would tell: the confirmation would count what is not there any more.
      live.listen((event) => {
        const gone = deletedBy(event);
        if (gone !== undefined) setTicked((before) => without(before, gone));
        // No event says what was deleted while the stream was down. Without an answer, it is asked again before a question.
        if (event.name === 'ready' || event.name === 'reset') renew().catch(() => {});
      }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- other functions mean the same
    [],
  );
  const take = useMutation({
    // The filter may be another one when the answer comes.
    mutationFn: async (asked: { readonly key: string; readonly find: () => Promise<readonly T[]> }) => ({
      key: asked.key,
      rows: await asked.find(),
    }),
    onSuccess: (found) =>
      setTicked({ key: found.key, rows: new Map(found.rows.map((row) => [idOf(row), row])), isOfAll: true }),
    onError: notifyError,
  });
  const selected = useMemo(() => {
    const seen = new Map(rows.map((row) => [idOf(row), row]));
    const isSame = ticked.key === key;
    // As they are now, where that is known.
    return new Map(
      [...ticked.rows].flatMap(([id, row]): [string, T][] => {
        const now = seen.get(id) ?? (isSame ? row : undefined);
        return now === undefined ? [] : [[id, now]];
      }),
    );
    // eslint-disable-next-line react-hooks/exhaustive-deps -- idOf is one member of the row, whatever function names it
  }, [ticked, key, rows]);
  const ids = useMemo(() => new Set(selected.keys()), [selected]);
  return {
    ids,
    onChange: (next) => {
      const known = new Map([...selected, ...rows.map((row): [string, T] => [idOf(row), row])]);
      setTicked({
        key,
        rows: new Map([...next].flatMap((id) => (known.has(id) ? [[id, known.get(id)!]] : []))),
        isOfAll: ticked.isOfAll === true && ticked.key === key,
      });
    },
    rows: [...selected.values()],
    isPage: rows.length > 0 && selected.size >= rows.length,
    isOfAll: ticked.isOfAll === true && ticked.key === key,
    takeAll: () => take.mutate({ key, find: findAll }),
    isTaking: take.isPending,
    clear: () => setTicked({ key, rows: new Map() }),
    renew,
  };
}

/** For lists of instances. */
export const deletedInstance = ({ name, data }: ServerEvent): string | undefined =>
  name === 'instance-deleted' ? (data as { readonly id?: string }).id : undefined;

/** For lists of definitions. */
export const deletedDefinition = ({ name, data }: ServerEvent): string | undefined =>
  name === 'definition-deleted' ? (data as { readonly definitionId?: string }).definitionId : undefined;
