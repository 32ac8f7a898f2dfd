import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyError } from './toasts.js';

interface SelectionOptions<T> {
  /** Of the page that is seen. */
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  /** What the list is filtered by: equal as long as the same rows match. */
  readonly filter: object;
  /** Every row that matches, of all pages. */
  readonly findAll: () => Promise<readonly T[]>;
}

export interface RowSelection<T> {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  readonly rows: readonly T[];
  /** If true, every row of the page that is seen. */
  readonly isPage: boolean;
  /** If true, the rows are from all pages. */
  readonly isOfAll: boolean;
  readonly takeAll: () => void;
  readonly isTaking: boolean;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Rows that are ticked, on the page that is seen or of all that match. With another filter, only what is seen counts. */
export function useSelection<T>({ rows, idOf, filter, findAll }: SelectionOptions<T>): RowSelection<T> {
  const [ids, setIds] = useState(NONE);
  const [all, setAll] = useState<{ readonly key: string; readonly rows: readonly T[] }>();
  const key = JSON.stringify(filter);
  const take = useMutation({
    // The filter may be another one when the answer comes.
    mutationFn: async (asked: { readonly key: string; readonly find: () => Promise<readonly T[]> }) => ({
      key: asked.key,
      rows: await asked.find(),
    }),
    onSuccess: (found) => {
      setAll(found);
      setIds(new Set(found.rows.map(idOf)));
    },
    onError: notifyError,
  });
  const known = all?.key === key ? all.rows : undefined;
  return {
    ids,
    onChange: setIds,
    rows: (known ?? rows).filter((row) => ids.has(idOf(row))),
    isPage: rows.length > 0 && rows.every((row) => ids.has(idOf(row))),
    isOfAll: known !== undefined,
    takeAll: () => take.mutate({ key, find: findAll }),
    isTaking: take.isPending,
    clear: () => {
      setIds(NONE);
      setAll(undefined);
    },
  };
}
