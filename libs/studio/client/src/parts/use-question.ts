import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { notifyError } from './toasts.js';
import type { RowSelection } from './use-selection.js';

/** What is asked about the rows that are ticked, once it is known how they are: the question counts them. */
export function useQuestion<A, T>({ rows, renew }: RowSelection<T>) {
  const [action, setAction] = useState<A>();
  const isOpen = action !== undefined;
  const isEmpty = rows.length === 0;
  useEffect(() => {
    // Done, or deleted by others: the next rows that are ticked are not asked about that.
    if (isEmpty && isOpen) setAction(undefined);
  }, [isEmpty, isOpen]);
  const { mutate } = useMutation({
    mutationFn: async (next: A) => {
      await renew();
      return next;
    },
    onSuccess: (next) => setAction(() => next),
    onError: notifyError,
  });
  return { action, ask: mutate, close: () => setAction(undefined) };
}
