import { useCallback, useState } from 'react';
import { useShown } from './use-shown.js';

/** How far work goes that is done some at a time; it goes no further when what shows it is closed. */
export function useProgress() {
  const [done, setDone] = useState(0);
  const isShown = useShown();
  const report = useCallback(
    (count: number): boolean => {
      if (isShown()) setDone(count);
      return isShown();
    },
    [isShown],
  );
  return { done, report };
}
