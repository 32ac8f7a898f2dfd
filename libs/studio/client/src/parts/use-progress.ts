import { useCallback, useEffect, useRef, useState } from 'react';

/** How far work goes that is done some at a time; it goes no further when what shows it is closed. */
export function useProgress() {
  const [done, setDone] = useState(0);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const report = useCallback((count: number): boolean => {
    if (isShown.current) setDone(count);
    return isShown.current;
  }, []);
  return { done, report };
}
